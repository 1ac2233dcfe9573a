"""Every test of the contract, for a star import in a test module that defines `GAMES`.

Use: `from correspondence.testing.contract import *`.
"""

from __future__ import annotations

from correspondence.testing import rules, teaching, trials, views

_TESTS = {
    name: test
    for module in (trials, rules, views, teaching)
    for name, test in vars(module).items()
    if name[:5] == "test_"
}
globals().update(_TESTS)
__all__ = [*_TESTS]
