"""`punto table`: tables that are kept in a database."""
