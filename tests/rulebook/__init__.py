"""The rulebooks' worked examples, and derived ones, played on the public engine."""
