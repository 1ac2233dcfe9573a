"""Play by post: postal settings, helpers, and entering the moves on cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import postal_members, web_sessions
from correspondence.accounts.postal_members import PostalDetails
from correspondence.community import postal_contests
from correspondence.core.db import transaction
from correspondence.matchmaking import helped_challenges
from correspondence.models import Person
from correspondence.models.loading import MatchError
from correspondence.outbound.letters import mail_of
from correspondence.play import card_entries, helped_absence
from correspondence.play.card_entries import CardReading
from correspondence.queries import due_cards, postal_cards, queries
from correspondence.queries.open_challenges import challenges_of
from correspondence.render.postal_card import Card
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import dice_words, form_text, is_ticked, move_field, number
from correspondence.web.locale import day
from correspondence.web.play import LONGEST_MOVE
from correspondence.web.service_state import refuse_read_only
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("by_post", __name__)

_LONGEST_FIELD = 1_000


@bp.after_request
def _keep_out_of_caches(response: Response) -> Response:
    """Prevent caching of addresses and check words."""
    response.headers["Cache-Control"] = "no-store"
    return response


# -- settings ------------------------------------------------------------------------


@bp.get("/settings/post")
def settings() -> str:
    """Show the member's postal address, their helper, and the people whom they help."""
    session.require_member()
    session.remember_page()  # after signing in again, the member returns to this page
    return _settings_page()


@bp.post("/settings/post")
def save() -> ResponseReturnValue:
    """Save the postal details; a refusal keeps the input."""
    details = PostalDetails(
        form_text("name", _LONGEST_FIELD), form_text("address", _LONGEST_FIELD),
        is_ticked("plays_by_post"), is_ticked("is_listed"),
    )  # fmt: skip

    def keep(db: Session, person: Person) -> str:
        if postal_members.sends_cards_elsewhere(db, person.id, postal_members.checked_details(details)):
            _require_recent(db)
        postal_members.save(db, person, details, now=current_runtime().now())
        return _("Your postal settings have been saved.")

    return _change(keep, typed=details)


@bp.post("/settings/post/forget")
def forget() -> ResponseReturnValue:
    """Delete the postal address and end play by post."""

    def delete(db: Session, person: Person) -> str:
        postal_members.forget_address(db, person, now=current_runtime().now())
        return _("Your postal address has been deleted.")

    return _change(delete)


@bp.post("/settings/post/helper")
def name_helper() -> ResponseReturnValue:
    """Ask a member to help, or dismiss the current helper, which is possible in read-only mode too."""
    if not is_ticked("dismiss"):
        refuse_read_only()
    handle = form_text("handle", 60)

    def ask(db: Session, person: Person) -> str:
        if is_ticked("dismiss"):
            postal_members.dismiss_helper(db, person, now=current_runtime().now())
            return _("You no longer have a helper.")
        _require_recent(db)
        helper = postal_members.name_helper(db, person, handle, now=current_runtime().now())
        return _("We've asked {handle} by mail whether they want to help you.").format(handle=helper.handle)

    return _change(ask)


@bp.post("/settings/post/help/<handle>")
def help_somebody(handle: str) -> ResponseReturnValue:
    """Agree to help the member with this handle, or stop, which is possible in read-only mode too."""
    if not is_ticked("stop"):
        refuse_read_only()

    def answer(db: Session, helper: Person) -> str:
        if is_ticked("stop"):
            person = postal_members.stop_helping(db, helper, handle[:60], now=current_runtime().now())
            return _("You no longer help {handle}.").format(handle=person.handle)
        _require_recent(db)
        person = postal_members.agree(db, helper, handle[:60], now=current_runtime().now())
        return _("You now help {handle}.").format(handle=person.handle)

    return _change(answer)


def _require_recent(db: Session) -> None:
    """Raise PeopleError unless this browser signed in recently.

    It is for what lets others see what the player sees: a helper, or another address for cards.
    """
    web_sessions.require_recent(db, session.require_member().session_id, now=current_runtime().now())


@bp.post("/settings/post/help/<handle>/challenges/<number:seek>")
def answer_challenge(handle: str, seek: int) -> ResponseReturnValue:
    """Accept or decline a challenge for a postal player whom the member helps."""

    def answer(db: Session, helper: Person) -> str:
        runtime = current_runtime()
        if is_ticked("decline"):
            helped_challenges.decline(db, helper, handle[:60], seek, now=runtime.now())
            return _("The challenge to {handle} has been declined.").format(handle=handle)
        match = helped_challenges.accept(
            db, helper, handle[:60], seek, words=dice_words(), now=runtime.now(), rng=runtime.rng
        )
        return _("Game {number} has begun for {handle}.").format(number=match.id, handle=handle)

    return _change(answer)


@bp.post("/settings/post/help/<handle>/challenge")
def challenge_for(handle: str) -> ResponseReturnValue:
    """Challenge somebody in the name of a postal player whom the member helps.

    The game has the postal pace.
    """

    def challenge(db: Session, helper: Person) -> str:
        opponent, key = form_text("opponent", 60), form_text("game", 40)
        now = current_runtime().now()
        helped_challenges.challenge(db, helper, handle[:60], opponent, key, words=dice_words(), now=now)
        return _("{opponent} has been challenged by {handle}.").format(opponent=opponent, handle=handle)

    return _change(challenge)


@bp.post("/settings/post/help/<handle>/away")
def away(handle: str) -> ResponseReturnValue:
    """Announce that a postal player whom the member helps is away or back."""

    def announce(db: Session, helper: Person) -> str:
        now, days = current_runtime().now(), number(form_text("days", 4))
        if is_ticked("back"):
            helped_absence.end(db, helper, handle[:60], now=now)
            return _("{handle} is back.").format(handle=handle)
        absence = helped_absence.announce(db, helper, handle[:60], days or 0, now=now)
        when = day(absence.ends_at)
        return _("{handle} is away until {when}.").format(handle=handle, when=when.striptags())

    return _change(announce)


def _change(use_case: Callable[[Session, Person], str], typed: PostalDetails | None = None) -> ResponseReturnValue:
    """Run a use case for the member and flash its sentence.

    After a refusal, show the page again with the refusal and the input.
    """
    throttle.hit(throttle.ACT)
    member = session.require_member()
    try:
        with transaction(current_runtime().engine) as db:
            sentence = use_case(db, db.get_one(Person, member.id))
    except Refusal as error:
        return _settings_page(str(error), typed), 422
    flash(sentence)
    return redirect(url_for("by_post.settings"), 303)


def _settings_page(refused: str = "", typed: PostalDetails | None = None) -> str:
    member, now = session.require_member(), current_runtime().now()
    with reading() as db:
        details, helper = postal_members.details_of(db, member.id), postal_members.helper_of(db, member.id)
        helped = postal_members.helped_by(db, member.id)
        people = [
            {
                "help": one,
                "details": postal_members.details_of(db, one.person_id) if one.is_agreed else None,
                "challenges": challenges_of(db, one.person_id, now=now)[0] if one.is_agreed else (),
                "cards": [card for card in queries.games_of(db, one.person_id) if card.my_turn]
                if one.is_agreed
                else (),
            }
            for one in helped
        ]
        has_mail = mail_of(db, db.get_one(Person, member.id)) is not None
        is_recent = web_sessions.is_recent(db, member.session_id, now=now)
    shown = typed or details or PostalDetails()
    context = {"shown": shown, "is_kept": details is not None, "helper": helper, "people": people, "has_mail": has_mail}
    context["is_recent"] = is_recent
    return render_template("settings/post.html", refused=refused, limits=postal_members, **context)


# -- cards ---------------------------------------------------------------------------


@bp.get("/games/<number:number>/card")
def card(number: int) -> ResponseReturnValue:
    """Show the card of a game and the form to enter it.

    Only the player and their helper see the card as it is printed. Opponents see only the form.
    """
    member = session.require_member()
    games.game_or_404(number)
    return _card_page(number, member.id)


@bp.get("/games/<number:number>/card.pdf")
def sheet(number: int) -> ResponseReturnValue:
    """Return the card of a game as PDF, for its player and helper; `?a4` prints on A4."""
    throttle.hit(throttle.CARDS)
    member, runtime = session.require_member(), current_runtime()
    games.game_or_404(number)
    with reading() as db:
        cards = due_cards.cards_for(
            db, member.id, key=runtime.settings.secret_key, base_url=runtime.settings.base_url, match_id=number
        )
    return (
        _pdf(cards, f"card-{number}") if cards else _card_page(number, member.id, _("There is no card for you here."))
    )


@bp.get("/settings/post/cards.pdf")
def sheets() -> ResponseReturnValue:
    """Return all cards due to the member and those whom they help, as PDF.

    `?a4` puts four cards on a sheet.
    """
    throttle.hit(throttle.CARDS)
    member, runtime = session.require_member(), current_runtime()
    with reading() as db:
        cards = due_cards.cards_for(db, member.id, key=runtime.settings.secret_key, base_url=runtime.settings.base_url)
    return _pdf(cards, "cards") if cards else (_settings_page(_("No card is due.")), 404)


def _pdf(cards: Sequence[Card], name: str) -> Response:
    pdf = due_cards.pdf_of(cards, title=name, four_to_a_sheet="a4" in request.args)
    response = Response(pdf, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


@bp.post("/games/<number:number>/card")
def enter(number: int) -> ResponseReturnValue:
    """Play the move on a card; refuse and count a wrong check word."""
    throttle.hit(throttle.ACT)
    member, typed = session.require_member(), {"move": move_field(LONGEST_MOVE), "word": form_text("word", 20)}
    games.game_or_404(number)
    try:
        entered = _enter(number, member.id, typed)
    except Refusal as error:
        return _card_page(number, member.id, str(error), typed), 422
    if entered.refusal:
        return _card_page(number, member.id, entered.refusal, typed), 422
    flash(entered.done or _("The move {move} has been entered.").format(move=entered.move))
    return redirect(url_for("games.show", number=number), 303)


def _enter(match: int, person_id: int, typed: dict[str, str]) -> CardReading:
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        return card_entries.enter_card(
            db, db.get_one(Person, person_id), match, typed["move"], typed["word"], ply=_shown("ply"),
            takebacks=_shown("takebacks"), key=runtime.settings.secret_key, now=runtime.now(),
        )  # fmt: skip


def _shown(name: str) -> int:
    shown = number(form_text(name, 12))
    return -1 if shown is None else shown


@bp.post("/games/<number:match>/card/<number:ply>/contest")
def contest(match: int, ply: int) -> ResponseReturnValue:
    """Report to the operator that a move was entered differently from the card."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    games.game_or_404(match)
    try:
        with transaction(runtime.engine) as db:
            person, words = db.get_one(Person, member.id), form_text("words", _LONGEST_FIELD)
            operator = runtime.settings.operator
            postal_contests.contest(db, person, match, ply, words, operator=operator, now=runtime.now())
    except Refusal as error:
        return _card_page(match, member.id, str(error)), 422
    flash(_("Your objection to move {ply} has been noted, and the operator has been told.").format(ply=ply))
    return redirect(url_for("by_post.card", number=match), 303)


def _card_page(match: int, person_id: int, refused: str = "", typed: dict[str, str] | None = None) -> str:
    runtime, shown, reason = current_runtime(), None, ""
    with reading() as db:
        try:
            shown = postal_cards.card_page(db, match, person_id, key=runtime.settings.secret_key)
        except MatchError as error:
            reason = str(error)
        entered = postal_cards.entered_rows(db, match, person_id)
        seat = queries.game_view(db, match, person_id, now=runtime.now())
    assert seat is not None
    return render_template(
        "card.html", number=match, game=seat.card.game, shown=shown, reason=reason if reason != refused else "",
        refused=refused, entered=entered, lines=seat.lines, typed=typed or {"move": "", "word": ""},
    )  # fmt: skip
