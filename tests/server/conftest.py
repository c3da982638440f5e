"""What every test of the server may ask for."""

from tests.server.places import place

__all__ = ["place"]
