"""Records: what is written reads back, and what is damaged is refused."""
