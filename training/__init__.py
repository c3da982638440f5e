"""How the networks of the expert level are made: self-play in PyTorch, on a GPU or (slower) without one."""
