"""A game under way, without a word about how it is shown: position, seats, agents, texts, undo and journal.

`table.Table` is the game, `seen.Seen` what one seat may see of it, `journal` keeps every decision on the disk. A face
asks `waiting()` and `thinking()`, shows `seen(seat)`, gives answers to `choose`, and has agents `decide` (or `answer` a
`question` in another process).
"""
