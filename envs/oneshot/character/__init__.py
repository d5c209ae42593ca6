"""Characters: the kit, sheets, and the figures made of them."""
