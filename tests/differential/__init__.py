"""The compiled twin held against the engine, and its fast loops against its plain ones."""
