"""Doors: how requests come in and answers go out, by HTTP, by WebSocket and as streams."""
