"""What people look at: a module a subject, which gives its addresses as `routes()`."""
