"""The questions, one module per subject; `punto.drill.syllabus` lists them."""
