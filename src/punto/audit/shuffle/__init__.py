"""A shuffle that can be checked: what is published of a shoe, and its order found again from that."""
