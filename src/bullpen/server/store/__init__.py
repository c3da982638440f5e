"""Where steps and records are kept: what the server needs of a store (`interface`), and SQLite."""
