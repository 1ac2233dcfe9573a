"""Second opinions by mail: their text, and the letters to members waiting for them."""

from __future__ import annotations

from datetime import datetime

from markupsafe import escape
from sqlmodel import Session, col, select

from correspondence.accounts.accounts import command_token
from correspondence.core.i18n import in_language
from correspondence.features.reviews import reviews
from correspondence.features.reviews.reviews import ReviewView
from correspondence.features.reviews.tables import ReviewReader
from correspondence.features.reviews.words import fortune_sentence, percent, turning_sentence
from correspondence.models import Match, Person
from correspondence.models.loading import game_of
from correspondence.outbound import letters
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.letters import Draft, wrapped, wrapped_behind
from correspondence.outbound.transcript import PageBlock, TranscriptEntry, pictures_of
from correspondence.render.charts import PICTURE_WIDTH, result_line, result_picture
from engines.wording import N_, _, ngettext

REVIEW = LetterKind(
    name="review",
    title=N_("a second opinion"),
    is_deferrable=True,
    digest_sentence=N_("The second opinion on game {number} is ready: write review {number}, or look at its page."),
)


def entry_of(match: Match, review: ReviewView) -> TranscriptEntry:
    """Describe a second opinion or its progress for a letter, in the current language."""
    if review.is_done:
        return _made(match, review)
    if not review.is_waiting:
        sentence = _("The second opinion on game {number} could not be made. Ask for it again: review {number}")
        return TranscriptEntry("", sentence.format(number=match.id))
    sentence = _(
        "A robot is looking at game {number}: it has judged {done} of {all} moves. You'll get a letter when "
        "it has judged all of them."
    )
    return TranscriptEntry("", sentence.format(number=match.id, done=len(review.moves), all=review.plies))


def tell_readers(session: Session, match: Match, *, now: datetime) -> None:
    """Write to everyone waiting for a match's second opinion that it is done or has failed."""
    review = reviews.review_of(session, match)
    waiting = session.exec(select(ReviewReader).where(col(ReviewReader.match_id) == match.id)).all()
    for row in waiting:
        if review is not None:
            _write(session, match, review, session.get_one(Person, row.person_id), now)
        session.delete(row)
    session.flush()


def _write(session: Session, match: Match, review: ReviewView, person: Person, now: datetime) -> None:
    with in_language(person.language):
        entry = entry_of(match, review)
    draft = Draft(
        REVIEW,
        f"review:g{match.id}:u{person.id}:{now:%Y%m%d%H%M%S}",
        match_id=match.id,
        ply=match.ply,
        reply_token=command_token(session, person, now=now).id,
        diagrams=pictures_of([entry]),
    )
    letters.write_letter(session, letters.to_person(session, person), draft, now=now, number=match.id, entries=[entry])


def _headline(number: int, turns: int) -> str:
    """Return the first sentence of a second opinion with `turns` turning points."""
    if not turns:
        return _("A second opinion on game {number}: no single move decided it.").format(number=number)
    sentence = ngettext(
        "A second opinion on game {number}: it had {count} turning point.",
        "A second opinion on game {number}: it had {count} turning points.",
        turns,
    )
    return sentence.format(number=number, count=turns)


def _made(match: Match, review: ReviewView) -> TranscriptEntry:
    seats = [_(name) for name in game_of(match).seats]
    turning = [
        (f"{move.ply}. {seats[move.seat]}, {move.text}: {turning_sentence(move)}") for move in review.turning_points
    ]
    head = _headline(match.id, len(turning))
    graph = _graph(review, seats[0])
    title = (
        _("Turning points")
        if turning
        else _("No move lost as much as 20 percentage points: there is no turning point.")
    )
    luck = fortune_sentence(review.fortunes, seats)
    link, numbers = f"%%base%%/games/{match.id}#review", _("Every move in numbers:")
    page = (
        *graph,
        PageBlock("heading" if turning else "paragraph", title),
        *(PageBlock("item", sentence) for sentence in turning),
        *([PageBlock("paragraph", luck)] if luck else []),
        PageBlock("paragraph", numbers, f'{escape(numbers)} <a href="{link}">{link}</a>'),
    )
    blocks = [
        *(f"| {one.board}\n\n{wrapped(one.text, 70)}" for one in graph),
        title,
        *(wrapped_behind(sentence, "· ", "| ") for sentence in turning),
        *([wrapped(luck, 72)] if luck else []),
        f"{numbers} {link}",
    ]
    return TranscriptEntry("", head, block="\n\n".join(blocks), page=page)


def _graph(review: ReviewView, seat: str) -> tuple[PageBlock, ...]:
    """Chart the expected result over the game as picture and text; empty if not judged."""
    course = [move.first for move in review.moves]
    known = [expected for expected in course if expected is not None]
    if not known:
        return ()
    caption = _("Expected result for {seat} after each move: {first}% after the first, {last}% after the last.").format(
        seat=seat, first=percent(known[0]), last=percent(known[-1])
    )
    picture = result_picture(course, [move.ply for move in review.turning_points], caption)
    return (
        PageBlock("diagram", caption, picture=picture, alt=caption, width=PICTURE_WIDTH, board=result_line(course)),
    )
