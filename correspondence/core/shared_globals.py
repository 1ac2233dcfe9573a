"""Templates that all see the same functions, filters and values, and none of their own."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from jinja2 import Environment

from correspondence.core.template_code import DirectCode


class SharedGlobals(Environment):
    """Templates that all have the globals of their environment."""

    code_generator_class = DirectCode

    is_plain = staticmethod(re.compile("[^&<>'\"]*").fullmatch)
    """Finds a text that can stand in a page as it is, sooner than it is escaped; most names and moves are such."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals as they are; Jinja's chain of maps is gone through name by name at each include and import."""
        return super().make_globals(d) if d else self.globals
