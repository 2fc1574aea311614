"""The endpoints, by subject: each module has functions and the list `ENDPOINTS`."""
