"""The server: tables of every game for people, bots and spectators.

A table is a log of numbered steps (`tables.steps`); its state (`tables.table`) follows from the log alone. A
step counts once it is committed (`live.writer`, `store`), and only then does anybody hear of it (`live.road`,
drawn in docs/design.md). What travels is typed in one place (`protocol`).
"""
