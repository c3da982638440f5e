"""One module per game or group of games: each registers its thinkers when it is imported.

A module here must import without NumPy and Numba; what needs them is imported when it first thinks.
"""
