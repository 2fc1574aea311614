"""`punto people`: who may log in to a floor, and in which roles."""
