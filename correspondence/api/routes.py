"""Every address of the interface for programs and the view that answers there, by the module of the views.

Each module is loaded with the first request for one of its views, or for the description of all.
"""

from __future__ import annotations

from collections.abc import Mapping

ROUTES: Mapping[str, Mapping[str, str]] = {
    "me": {
        "GET /api/v1/me": "show",
    },
    "games": {
        "GET /api/v1/games": "mine",
        "GET /api/v1/watch": "watch",
        "GET /api/v1/games/<number:number>": "show",
        "GET /api/v1/games/<number:number>/record": "record",
        "GET /api/v1/games/<number:number>/legal": "legal",
        "POST /api/v1/games/<number:number>/preview": "preview",
        "POST /api/v1/games/<number:number>/moves": "move",
    },
    "acts": {
        "POST /api/v1/games/<number:number>/draw": "draw",
        "POST /api/v1/games/<number:number>/takeback": "takeback",
        "POST /api/v1/games/<number:number>/pause": "pause",
        "POST /api/v1/games/<number:number>/decline": "decline",
        "POST /api/v1/games/<number:number>/withdraw": "withdraw",
        "POST /api/v1/games/<number:number>/resign": "resign",
        "POST /api/v1/games/<number:number>/claim": "claim",
        "POST /api/v1/games/<number:number>/nudge": "nudge",
        "POST /api/v1/games/<number:number>/talk": "talk",
    },
    "plans": {
        "GET /api/v1/games/<number:number>/plan": "show",
        "PUT /api/v1/games/<number:number>/plan": "replace",
        "POST /api/v1/games/<number:number>/plan/resume": "resume",
        "DELETE /api/v1/games/<number:number>/plan": "drop",
    },
    "offers": {
        "GET /api/v1/seeks": "open_seeks",
        "POST /api/v1/seeks": "seek",
        "POST /api/v1/seeks/<number:number>/take": "take",
        "DELETE /api/v1/seeks/<number:number>": "withdraw_seek",
        "GET /api/v1/challenges": "open_challenges",
        "POST /api/v1/challenges": "challenge",
        "POST /api/v1/challenges/<number:number>/accept": "accept",
        "POST /api/v1/challenges/<number:number>/decline": "decline",
        "DELETE /api/v1/challenges/<number:number>": "withdraw_challenge",
    },
    "puzzles": {
        "GET /api/v1/puzzles": "mine",
        "POST /api/v1/puzzles": "begin",
        "GET /api/v1/puzzles/today": "today",
        "POST /api/v1/puzzles/today": "daily",
    },
    "members": {
        "GET /api/v1/players/<handle>": "player",
        "GET /api/v1/ratings/<game>": "ratings",
        "GET /api/v1/archive": "archive",
        "GET /api/v1/rules": "rules",
    },
    "events": {
        "GET /api/v1/events": "listen",
    },
    "webhooks": {
        "GET /api/v1/webhooks": "listed",
        "POST /api/v1/webhooks": "make",
        "POST /api/v1/webhooks/<ident>/on": "switch_on",
        "DELETE /api/v1/webhooks/<ident>": "remove",
    },
    "describe": {
        "GET /api/v1/openapi.json": "openapi",
    },
}
