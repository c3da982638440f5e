"""The command line and what it draws."""
