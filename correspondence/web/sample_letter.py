"""The sample letter of a rules page: the real “your turn” template, with an example."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from correspondence.core.board_form import BoardForm
from correspondence.core.i18n import in_language
from correspondence.fairness.evidence import LetterEvidence
from correspondence.outbound import kinds, letters
from correspondence.play.headlines import last_move
from correspondence.play.letter_context import teaching_lines
from correspondence.render.viewer_game import marks_between
from correspondence.rulebook.examples import position_at
from engines import GAMES, text
from engines.base import CHANCE
from engines.presentation import Moment
from engines.record import Entry
from engines.scene import Scene
from engines.verification.chain import first_hash
from engines.wording import _

_NUMBER, _READER, _OPPONENT = 12, "ann", "bob"


@lru_cache(maxsize=32)
def sample_letter(key: str, moment: Moment, language: str, base: str) -> tuple[str, str]:
    """Render the subject and text of a sample letter that asks for a move."""
    to = letters.To("ann@example.org", language, name=_READER)
    with in_language(language):
        facts = sample_context(key, moment)
    subject, body, _html = letters.render(kinds.TURN, to, **facts)
    return subject, body.replace("%%base%%", base)


def sample_context(key: str, moment: Moment) -> dict[str, Any]:
    """The template context of match letters, for an imaginary match."""
    position, game = position_at(key, moment), GAMES[key]
    seat = position.to_act[0]
    scene = _scene(key, moment, seat)
    is_alone = len(game.seats) == 1
    return {
        "lesson": None,
        "match": SimpleNamespace(id=_NUMBER),
        "game": game,
        "seat": _(game.seats[seat]),
        "opponent": "" if is_alone else _OPPONENT,
        "listeners": [] if is_alone else [_OPPONENT],
        "board": text.render(scene, bottom=seat),
        "scene": scene,
        "form": BoardForm.PICTURE,
        "words": (),
        "unreachable": "",
        "offers": {},
        "my_turn": True,
        "deadline": None,
        "example": position.write(seat, next(iter(position.view(seat).legal_moves(seat)))),
        "notation": teaching_lines(game, position, seat),
        "is_practised": False,
        "ending": "",
        "evidence": LetterEvidence(len(moment.played), first_hash(key, game.version, "")),
        "news": [],
        "headline": " ".join([last_move([_news(key, moment, seat)], seat, _OPPONENT), _("It is your move.")]).strip(),
        "away": (),
        "of_plan": [],
        "remarks": [] if is_alone else [_("Over to you.")],
        "again": False,
        "thread_language": "",
        "has_picture": False,
    }


def _before(moment: Moment) -> Moment:
    return Moment(moment.position, moment.played[:-1], moment.options)


def _scene(key: str, moment: Moment, seat: int) -> Scene:
    """The board as the reader sees it, with the opponent's last move marked."""
    before, now = position_at(key, _before(moment)), position_at(key, moment).scene(seat)
    actor = before.to_act[0]
    touched = before.touches(actor, before.read(actor, moment.played[-1]))
    return now.marked(*(() if actor == CHANCE else marks_between(before.scene(seat), now, touched)))


def _news(key: str, moment: Moment, seat: int) -> Entry:
    """The last move, as the letter describes it."""
    before, now = position_at(key, _before(moment)), position_at(key, moment)
    actor = before.to_act[0]
    return Entry(actor, before.tell(actor, before.read(actor, moment.played[-1]), seat, now))
