"""The rules of the individual phase (section 3.5): pure, without clock, chance, Discord or language.

Two doors: `decide(state, command, dice)` says what happens, `apply(state, event)` makes it so.
"""
