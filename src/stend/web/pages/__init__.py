"""What people look at: a module a page, which gives its addresses as `routes()`."""
