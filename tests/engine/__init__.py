"""The engine's nouns and verbs, apart from any single game."""
