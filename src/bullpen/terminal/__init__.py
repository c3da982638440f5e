"""The terminal client: watching and playing games, drawn with rich."""
