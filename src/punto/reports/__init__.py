"""Reports: rule books, PAR sheets and simulations as pages, and as the bytes of files."""
