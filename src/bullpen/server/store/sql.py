"""Statements that both kinds of database understand."""

TURNED_AWAY = """
    INSERT INTO facts (name, value) VALUES ('revocations', '1') ON CONFLICT (name)
    DO UPDATE SET value = CAST(CAST(facts.value AS bigint) + 1 AS text)
"""
"""Counts a revocation, in the transaction that writes it down: who sees the count can see what it counts."""
VOID = """
    INSERT INTO voids (who, links, everything, keep) VALUES (?, ?, ?, ?) ON CONFLICT (who) DO UPDATE SET
        links = CASE WHEN voids.links >= excluded.links THEN voids.links + 1 ELSE excluded.links END,
        everything = CASE WHEN excluded.everything = 0 THEN voids.everything
            WHEN voids.links >= excluded.links THEN voids.links + 1 ELSE excluded.links END,
        keep = CASE WHEN excluded.everything = 0 THEN voids.keep ELSE excluded.keep END
"""
"""Ends keys of somebody; no number is lower than that of the links, and none is given twice."""
VOIDED = "SELECT who, links, everything, keep FROM voids WHERE who = ?"
REVOCATIONS = "SELECT CAST(value AS bigint) FROM facts WHERE name = 'revocations'"
MEASURES = "SELECT kind, about, made, until, says FROM measures ORDER BY made, kind, about"
