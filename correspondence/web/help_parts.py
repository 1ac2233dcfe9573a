"""The parts of the help page, and which of them is about which pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flask import Flask, request

from engines.wording import N_

PARTS: Mapping[str, str] = MappingProxyType(
    {
        "move": N_("A move, by mail or here"),
        "commands": N_("Commands by mail"),
        "conditional": N_("Conditional moves"),
        "messages": N_("Messages"),
        "partner": N_("Finding a partner"),
        "post": N_("By post"),
        "time": N_("Time"),
        "early": N_("Ending a game early"),
        "ratings": N_("Ratings and reliability"),
        "mute": N_("Mute, block and report"),
        "privacy": N_("Privacy"),
        "notation": N_("The rules and the notation"),
        "programs": N_("Programs"),
        "table": N_("All commands"),
        "questions": N_("Questions people ask"),
    }
)
"""The titles of the parts by their anchors, in the order of the page."""

_BLUEPRINTS: Mapping[str, str] = MappingProxyType(
    {
        "move": "game_list games play board_settings",
        "conditional": "analysis conditional plan_board",
        "partner": "challenges directory first_steps invitations robots seeks",
        "post": "by_post",
        "time": "clocks clock_settings",
        "ratings": "ratings",
        "mute": "blocking",
        "privacy": "archive_files data_export history watch",
        "notation": "exercises openings puzzles rules tryout",
        "programs": "api_tokens documents",
        "commands": "account addresses mail_settings",
        "questions": "fairness mail_log push_settings settings",
    }
)

PART_OF_PAGES: Mapping[str, str] = MappingProxyType(
    {blueprint: part for part, blueprints in _BLUEPRINTS.items() for blueprint in blueprints.split()}
)
"""The anchor of the part about the pages of a blueprint."""


def attach(app: Flask) -> None:
    """Add `help_parts`, and `help_part` (the anchor for this page, or empty), to templates."""
    app.jinja_env.globals["help_parts"] = PARTS
    app.context_processor(lambda: {"help_part": PART_OF_PAGES.get(request.blueprint or "", "")})
