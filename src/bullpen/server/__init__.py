"""The server: tables of every game for people, bots and spectators.

A table is a log of numbered steps (`steps`); its state (`table`) follows from the log alone. A step counts
once it is committed (`commits`, `store`), and only then does anybody hear of it (`hub`). What travels is
typed in one place (`protocol`).
"""
