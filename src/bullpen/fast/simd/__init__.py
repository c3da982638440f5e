"""Many games abreast: base placement without a branch, in vector registers.

`lanes` places a card for any width, `vectors` are registers as a type. `lockstep` plays whole rounds at
random (`simulate`, `playouts`); `planes`, `checked`, `laying` and `abreast` together are a step of a batch.
"""
