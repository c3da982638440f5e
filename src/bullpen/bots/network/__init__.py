"""The network of `expert`: `features` is what it is told, `network` what it says, `weights` what it knows."""
