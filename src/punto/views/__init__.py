"""What leaves the house: what each role and seat may see of a table, as values that a page can draw.

`view_of` is a table as one viewer sees it, `legal_of` what the viewer may do, `seen_record` an event without
what the viewer must not see. All of it is computed from events alone. A page needs no rule: what is legal,
what it costs and what it is called comes from here, for every book.
"""
