"""What makes the program stop before it has begun."""


class Unusable(Exception):
    """Something the program was started with cannot be used: one line that names it and says what was expected."""
