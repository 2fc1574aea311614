"""One model of a page, shown as text, Markdown, HTML or PDF."""
