"""Where steps and records are kept."""
