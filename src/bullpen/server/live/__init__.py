"""What lives: rooms with listeners, the writer, clocks and bots."""
