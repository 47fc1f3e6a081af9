"""Asks for the alpha."""


def fetch_alpha():
    pass
