"""Statements that both kinds of database understand."""

TURNED_AWAY = """
    INSERT INTO facts (name, value) VALUES ('revocations', '1') ON CONFLICT (name)
    DO UPDATE SET value = CAST(CAST(facts.value AS bigint) + 1 AS text)
"""
"""Counts a revocation, in the transaction that writes it down: who sees the count can see what it counts."""
REVOCATIONS = "SELECT CAST(value AS bigint) FROM facts WHERE name = 'revocations'"
