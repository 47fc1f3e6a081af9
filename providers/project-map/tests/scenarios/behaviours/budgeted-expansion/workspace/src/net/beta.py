"""Asks for the beta."""


def fetch_beta():
    pass
