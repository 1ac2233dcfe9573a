"""The contract of the service, tried on Hex: `pip install 'correspondence[contract]'`, then `pytest`."""

from correspondence.testing.contract import *  # noqa: F403

pytest_plugins = ["correspondence.testing"]
GAMES = ["hex"]
