"""What holds in every game at every moment."""
