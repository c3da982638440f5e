"""Compiled code of the analysis, in a folder of its own: what is kept of it is as old as what is in here."""
