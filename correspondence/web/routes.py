"""Every address of the pages and the view that answers there, by the module of the views.

Each module is loaded with the first request for one of its views (`lazy_views`). An endpoint, such as `seeks.listed`, is
named after both.
"""

from __future__ import annotations

from collections.abc import Mapping

ROUTES: Mapping[str, Mapping[str, str]] = {
    "home": {
        "GET /": "front",
        "GET /help": "help_page",
    },
    "rules": {
        "GET /rules": "every",
        "GET /rules/": "every",
        "GET /rules/<key>": "show",
        "GET /rules/<key>.svg": "picture",
        "GET /rules/<key>.png": "image",
        "GET /rules/<key>/film.svg": "film",
        "GET /rules/<key>/<name>.svg": "diagram",
    },
    "account": {
        "GET /join": "join",
        "POST /join": "ask_to_join",
        "GET /sign-in": "sign_in",
        "POST /sign-in": "ask_to_sign_in",
        "GET /recover": "recover",
        "POST /recover": "ask_to_recover",
        "POST /sign-out": "sign_out",
        "GET /t/<token>": "link",
        "POST /t/<token>": "use_link",
    },
    "settings": {
        "GET /settings": "show",
        "POST /settings": "change",
        "POST /settings/sign-out": "sign_out_everywhere",
        "POST /settings/sessions/<number:number>/end": "end_session",
        "POST /settings/sessions/here": "here",
    },
    "board_settings": {
        "GET /settings/board": "show",
        "POST /settings/board": "change",
    },
    "addresses": {
        "GET /settings/addresses": "show",
        "POST /settings/addresses/add": "add",
        "POST /settings/addresses/main": "main",
        "POST /settings/addresses/remove": "remove",
        "POST /settings/addresses/code": "new_code",
    },
    "mail_settings": {
        "GET /settings/letters": "show",
        "POST /settings/letters": "change",
    },
    "clock_settings": {
        "GET /settings/time": "show",
        "POST /settings/time": "keep",
        "POST /settings/time/away": "away",
        "POST /settings/time/back": "back",
        "POST /settings/time/calendar": "open_calendar",
        "POST /settings/time/calendar/revoke": "close_calendar",
        "GET /calendar/<token>.ics": "feed",
    },
    "data_export": {
        "GET /settings/mydata": "show",
        "GET /settings/mydata/forget": "ask",
        "POST /settings/mydata/fetch": "fetch",
        "POST /settings/mydata/forget": "forget",
    },
    "games": {
        "GET /games": "mine",
        "GET /games/<number:number>": "show",
        "GET /games/<number:number>/<number:ply>": "at",
        "GET /games/<number:number>/go": "go",
    },
    "play": {
        "POST /games/<number:match>/move": "move",
        "POST /games/<number:match>/read": "read",
        "GET /games/<number:match>/moves.json": "moves",
        "GET /games/<number:match>/ply.json": "ply",
        "POST /games/<number:match>/seen": "seen",
        "POST /games/<number:match>/draw": "draw",
        "POST /games/<number:match>/decline": "decline",
        "POST /games/<number:match>/hint": "hint",
        "GET /games/<number:match>/resign": "ask_to_resign",
        "POST /games/<number:match>/resign": "resign",
        "GET /games/<number:match>/next": "show_next",
    },
    "talk": {
        "POST /games/<number:match>/say": "say",
        "POST /games/<number:match>/say/recall": "recall",
        "POST /games/<number:match>/notes/<number:note>/drop": "drop",
    },
    "clocks": {
        "POST /games/<number:match>/pause": "pause",
        "POST /games/<number:match>/takeback": "takeback",
        "POST /games/<number:match>/decline/<kind>": "decline",
        "POST /games/<number:match>/withdraw/<kind>": "withdraw",
        "POST /games/<number:match>/claim": "claim",
        "POST /games/<number:match>/nudge": "nudge",
    },
    "analysis": {
        "GET /games/<number:match>/try": "latest",
        "GET /games/<number:match>/<number:ply>/try": "show",
        "POST /games/<number:match>/<number:ply>/try": "add",
        "POST /games/<number:match>/<number:ply>/try/read": "read",
        "GET /games/<number:match>/<number:ply>/try/moves.json": "moves",
        "POST /games/<number:match>/<number:ply>/try/drop": "drop",
        "POST /games/<number:match>/try/share": "share",
        "POST /games/<number:match>/try/unshare": "unshare",
        "GET /games/<number:match>/try/<token>": "shared",
    },
    "archive_files": {
        "GET /archive/files": "listed",
        "GET /archive/<string:month>.zip": "file",
        "GET /archive/<string:month>.json": "manifest",
        "GET /settings/archive": "settings",
        "POST /settings/archive": "change",
    },
    "history": {
        "GET /archive": "finished",
        "GET /players/<handle>": "player",
    },
    "feeds": {
        "GET /archive.atom": "archive",
        "GET /players/<handle>.atom": "player",
        "GET /games/<number:number>.atom": "game",
        "GET /archive.records": "records",
    },
    "ratings": {
        "GET /ratings": "overview",
        "GET /ratings/<key>": "of_game",
    },
    "blocking": {
        "GET /settings/people": "people",
        "POST /settings/people": "block_or_mute",
        "POST /players/<handle>/block": "block",
        "POST /players/<handle>/unblock": "unblock",
        "POST /players/<handle>/mute": "mute",
        "POST /players/<handle>/unmute": "unmute",
        "GET /players/<handle>/report": "ask_to_report",
        "POST /players/<handle>/report": "report",
        "POST /games/<number:match>/mute": "mute_match",
        "POST /games/<number:match>/unmute": "unmute_match",
    },
    "pictures": {
        "GET /games/<number:number>/<number:ply>.svg": "as_svg",
        "GET /games/<number:number>/<number:ply>/small.svg": "as_small_svg",
        "GET /games/<number:number>/<number:ply>.png": "as_png",
        "GET /games/<number:number>/<number:ply>.txt": "as_text",
        "GET /games/<number:number>.record": "record",
        "GET /games/<number:number>/replay.svg": "animation",
        "GET /games/<number:number>/replay.webp": "film",
    },
    "scenes": {
        "GET /games/<number:number>/scenes.json": "of_game",
    },
    "puzzles": {
        "GET /puzzles": "show",
        "POST /puzzles": "begin",
        "POST /puzzles/today": "daily",
        "POST /puzzles/guest": "move_as_guest",
    },
    "exercises": {
        "GET /exercises": "listed",
        "GET /exercises/<number:number>": "show",
        "POST /exercises/<number:number>": "play",
        "POST /exercises/<number:number>/solution": "give_up",
        "POST /exercises/<number:number>/withdraw": "withdraw",
        "POST /exercises/<number:number>/read": "read",
        "GET /exercises/<number:number>/moves.json": "moves",
    },
    "challenges": {
        "GET /challenge": "ask",
        "POST /challenge": "challenge",
        "POST /challenges/<number:seek>/accept": "accept",
        "POST /challenges/<number:seek>/decline": "decline",
        "POST /challenges/<number:seek>/withdraw": "withdraw",
    },
    "seeks": {
        "GET /seeks": "listed",
        "GET /seeks/new": "ask",
        "POST /seeks/new": "post",
        "POST /seeks/<number:seek>/take": "take",
        "POST /seeks/<number:seek>/words": "words",
        "POST /seeks/<number:seek>/withdraw": "withdraw",
        "POST /seeks/<number:seek>/renew": "renew",
        "POST /games/<number:number>/rematch": "rematch",
        "GET /challenges/<number:seek>/counter": "counter_form",
        "POST /challenges/<number:seek>/counter": "counter",
    },
    "directory": {
        "GET /partners": "members",
        "GET /settings/partners": "settings",
        "POST /settings/partners": "keep_settings",
        "GET /players/<handle>/write": "ask",
        "POST /players/<handle>/write": "write",
    },
    "invitations": {
        "GET /invite": "ask",
        "POST /invite": "invite",
        "GET /i/<token>": "show",
        "POST /i/<token>": "accept",
    },
    "mail_log": {
        "GET /games/<number:number>/mail": "of_game",
        "POST /settings/test-letter": "test",
    },
    "unsubscribe": {
        "GET /u/<token>": "ask",
        "POST /u/<token>": "stop",
        "POST /u/<token>/undo": "undo",
    },
    "conditional": {
        "POST /games/<number:match>/plan": "enter",
        "POST /games/<number:match>/plan/on": "resume",
        "POST /games/<number:match>/plan/drop": "drop",
        "POST /games/<number:match>/plan/open": "open_sealed",
        "POST /games/<number:match>/plan/tried": "arm",
    },
    "plan_board": {
        "GET /games/<number:match>/plan/board": "show",
        "POST /games/<number:match>/plan/board": "step",
        "POST /games/<number:match>/plan/board/read": "read",
    },
    "health": {
        "GET /health": "health",
        "GET /health/ready": "ready",
    },
    "metrics": {
        "GET /metrics": "metrics",
    },
    "proposals": {
        "GET /yes/<token>": "ask",
        "POST /yes/<token>": "agree",
    },
    "by_post": {
        "GET /settings/post": "settings",
        "POST /settings/post": "save",
        "POST /settings/post/forget": "forget",
        "POST /settings/post/helper": "name_helper",
        "POST /settings/post/help/<handle>": "help_somebody",
        "POST /settings/post/help/<handle>/challenges/<number:seek>": "answer_challenge",
        "POST /settings/post/help/<handle>/challenge": "challenge_for",
        "POST /settings/post/help/<handle>/away": "away",
        "GET /games/<number:number>/card": "card",
        "GET /games/<number:number>/card.pdf": "sheet",
        "GET /settings/post/cards.pdf": "sheets",
        "POST /games/<number:number>/card": "enter",
        "POST /games/<number:match>/card/<number:ply>/contest": "contest",
    },
    "fairness": {
        "GET /help/fairness": "explained",
        "GET /help/verify.pyz": "checker",
        "GET /help/check.html": "offline",
        "GET /.well-known/correspondence-keys.json": "public_keys",
        "GET /games/<number:number>/evidence": "evidence",
    },
    "previews": {
        "GET /manifest.webmanifest": "manifest",
    },
    "robots": {
        "GET /robots": "listed",
        "POST /robots": "play",
        "POST /robots/learn": "learn",
        "POST /robots/rated": "rate",
    },
    "reviews": {
        "POST /games/<number:match>/review": "ask",
    },
    "watch": {
        "GET /watch": "running",
    },
    "guest_deal": {
        "POST /puzzles/guest/read": "read",
        "GET /puzzles/guest/moves.json": "moves",
    },
    "tryout": {
        "GET /rules/<key>/<name>/try": "show",
        "POST /rules/<key>/<name>/try": "play",
        "POST /rules/<key>/<name>/try/read": "read",
        "GET /rules/<key>/<name>/try/moves.json": "moves",
    },
    "openings": {
        "GET /archive/opening/moves.json": "moves",
        "POST /archive/opening/read": "read",
        "POST /archive/opening": "play",
    },
    "waiting": {
        "GET /games/waiting.json": "count",
    },
    "push_settings": {
        "GET /service-worker.js": "worker",
        "GET /settings/notifications": "show",
        "POST /settings/notifications/on": "subscribe",
        "POST /settings/notifications/off": "unsubscribe",
    },
    "crawlers": {
        "GET /robots.txt": "robots",
        "GET /sitemap.xml": "sitemap",
        "GET /.well-known/security.txt": "security",
        "GET /favicon.ico": "icon",
    },
    "desk": {
        "GET /desk": "show",
        "GET /desk/lists/<name>": "listed",
    },
    "desk_acts": {
        "GET /desk/acts": "listed",
        "GET /desk/do/<kind>": "ask",
        "POST /desk/do/<kind>": "do",
        "POST /desk/acts/<number:number>/undo": "undo",
    },
    "service_state": {
        "POST /announcements/dismiss": "dismiss",
    },
    "api_tokens": {
        "GET /settings/tokens": "show",
        "POST /settings/tokens": "make",
        "POST /settings/tokens/<number:number>/revoke": "revoke",
        "POST /settings/tokens/program": "declare",
    },
    "webhooks": {
        "GET /settings/webhooks": "show",
        "POST /settings/webhooks": "add",
        "POST /settings/webhooks/<ident>/secret": "renew_secret",
        "POST /settings/webhooks/<ident>/test": "test",
        "POST /settings/webhooks/<ident>/on": "switch_on",
        "POST /settings/webhooks/<ident>/remove": "remove",
    },
    "dev_mailbox": {
        "GET /mail": "box",
        "GET /mail/<key>": "letter",
        "GET /mail/<key>/sheet": "letter_html",
    },
}

HEADERS: Mapping[str, Mapping[str, str]] = {
    "by_post": {"Cache-Control": "no-store"},  # addresses and check words are kept in no cache
    "directory": {"X-Robots-Tag": "noindex, nofollow"},
}
"""What stands in the headers of all answers of a module."""
