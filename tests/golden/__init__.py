"""Golden playthroughs: whole games written out, to be the same forever."""
