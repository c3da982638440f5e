"""What every test of the server may ask for."""

from tests.server.places import place
from tests.server.stores import filled, path

__all__ = ["filled", "path", "place"]
