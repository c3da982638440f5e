"""How fast the twin plays: on the processor, in games with a course of their own, on a device."""
