"""Letters about tournaments: the start, a new round, the end, and what its organiser does.

One letter names all opponents of a start or a round; nobody gets one for each game. Stopping them withdraws nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts.accounts import command_token
from correspondence.accounts.letter_stops import stop_token
from correspondence.core.i18n import in_language, weekday
from correspondence.core.time_control import pace
from correspondence.features.tournaments import fields
from correspondence.features.tournaments.formats.field import Bye, EntrantState, Field, Pairing, Row
from correspondence.features.tournaments.settings import TITLES
from correspondence.features.tournaments.tables import PERPETUAL, Format, Tournament, TournamentEntrant
from correspondence.features.tournaments.tournaments import entrants_of, persons_by_id
from correspondence.models import Person
from correspondence.outbound import letters
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.letters import Draft
from correspondence.outbound.stops import StopTopic
from engines import GAMES
from engines.wording import N_, _, listing, ngettext

TOURNAMENT = LetterKind(
    name="tournament", title=N_("news of a tournament"), switch="tournament_letters", is_deferrable=True
)

LADDER_CHALLENGE = LetterKind(name="ladder_challenge", title=N_("a challenge on a ladder"))
"""Unanswered it counts as lost, so it comes whatever letters its reader has stopped."""

STOP = StopTopic(
    name="tournament_letters",
    switches=("tournament_letters",),
    offer=N_("Unsubscribe from letters about tournaments:"),
    effect=N_("You'll get no more letters about the start, the rounds and the end of tournaments."),
    rest=N_("You stay in your tournaments, and letters that it's your turn come as before."),
    title=N_("about the tournaments I play in"),
)


@dataclass(frozen=True, slots=True)
class TournamentNews:
    """What a letter says, in the reader's language: words for the subject, the first sentence, and the rest."""

    what: str
    state: str
    lines: Sequence[str] = ()
    words: str = ""
    rows: Sequence[str] = ()


Tell = Callable[[Person, TournamentEntrant], TournamentNews | None]
"""Return what one entrant is told, in the current language; None for nothing."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The entrants of a tournament and their handles, by entrant id."""

    entrants: Mapping[int, TournamentEntrant]
    persons: Mapping[int, Person]

    def handle(self, entrant_id: int) -> str:
        """Return the handle of an entrant."""
        return self.persons[entrant_id].handle


def cast_of(session: Session, tournament_id: int) -> Cast:
    """Return the entrants of a tournament with their persons, in two queries."""
    entrants = {entrant.id: entrant for entrant in entrants_of(session, tournament_id)}
    persons = persons_by_id(session, [entrant.person_id for entrant in entrants.values()])
    return Cast(entrants, {number: persons[entrant.person_id] for number, entrant in entrants.items()})


def tell_start(session: Session, tournament: Tournament, *, now: datetime) -> None:
    """Write one letter to each entrant, with all opponents and how it goes on."""
    field = fields.field_of(session, tournament, now=now)
    cast = cast_of(session, tournament.id)

    def news(person: Person, entrant: TournamentEntrant) -> TournamentNews | None:
        opponents = opponents_in(field, cast, entrant.id, 1)
        byes = [bye for bye in field.byes if bye.entrant == entrant.id]
        values = {
            "name": tournament.name,
            "game": _(GAMES[tournament.game].name),
            "format": _(TITLES[tournament.format]),
        }
        if opponents:
            sentence = _("{name} has begun ({format}, {game}): you play {opponents}.")
            state = sentence.format(**values, opponents=listing(opponents, _("and")))
        else:
            state = _("{name} has begun ({format}, {game}), and you have no game in its first round.").format(**values)
        lines = [_("The pace is {pace}.").format(pace=pace(tournament.time_control)), *_byes(byes)]
        lines += _last_day(field, 1, person)
        sentence = _(
            "Each game in which you are to move has its own letter, which you answer with your move. To leave, "
            "write: withdraw {number}"
        )
        lines.append(sentence.format(number=tournament.id))
        return TournamentNews(_("it has begun"), state, lines, rows=game_rows(field, cast, entrant.id, 1))

    write_all(session, tournament, cast, "start", news, now=now)


def tell_round(session: Session, tournament: Tournament, number: int, *, now: datetime) -> None:
    """Write to those who have a game or a bye in a new round."""
    field = fields.field_of(session, tournament, now=now)
    cast = cast_of(session, tournament.id)
    rows = fields.latest_rows(fields.standings_of(field))

    def news(person: Person, entrant: TournamentEntrant) -> TournamentNews | None:
        opponents = opponents_in(field, cast, entrant.id, number)
        byes = [bye for bye in field.byes if bye.entrant == entrant.id and bye.round == number]
        if not opponents and not byes:
            return None
        values = {"round": number, "name": tournament.name, "opponents": listing(opponents, _("and"))}
        if opponents:
            state = _("Round {round} of {name} has begun: you play {opponents}.").format(**values)
        else:
            state = _("Round {round} of {name} has begun without a game for you.").format(**values)
        lines = [*_byes(byes), *_standing(rows.get(entrant.id)), *_last_day(field, number, person)]
        return TournamentNews(
            _("round {round}").format(round=number), state, lines, rows=game_rows(field, cast, entrant.id, number)
        )

    write_all(session, tournament, cast, f"round{number}", news, now=now)


def tell_end(session: Session, tournament: Tournament, field: Field, *, now: datetime) -> None:
    """Write to everybody who played how the tournament ended."""
    cast = cast_of(session, tournament.id)
    table = fields.standings_of(field)
    rows = fields.latest_rows(table)
    last = max((row.round for row in table), default=0)
    winners = [cast.handle(number) for number, row in rows.items() if row.rank == 1 and row.round == last]

    def news(_person: Person, entrant: TournamentEntrant) -> TournamentNews | None:
        values = {"name": tournament.name, "winners": listing(winners[:5], _("and"))}
        row = rows.get(entrant.id)
        if row is None:
            return TournamentNews(_("it is over"), _("{name} is over. First: {winners}.").format(**values))
        sentence = _("{name} is over: you have come {place} of {count}. First: {winners}.")
        state = sentence.format(**values, place=row.rank, count=len(fields.rows_with(table, row, field.settings)))
        return TournamentNews(_("it is over"), state, _standing(row), rows=standing_rows(table, cast)[:40])

    write_all(session, tournament, cast, "end", news, now=now)


def tell_called_off(session: Session, tournament: Tournament, reason: str, *, now: datetime) -> None:
    """Write to everybody who is in, and to the organiser, that a tournament is called off."""
    cast = cast_of(session, tournament.id)

    def news(_person: Person, _entrant: TournamentEntrant) -> TournamentNews | None:
        state = _("{name} has been called off.").format(name=tournament.name)
        lines = [_("Games that have begun go on outside of it.")] if tournament.begun_at else []
        return TournamentNews(_("it is called off"), state, lines, words=reason)

    write_all(session, tournament, cast, "off", news, now=now)
    organiser = session.get_one(Person, tournament.organiser_id)
    if organiser.id not in {person.id for person in cast.persons.values()}:
        with in_language(organiser.language):
            letter = TournamentNews(
                _("it is called off"), _("{name} has been called off.").format(name=tournament.name), words=reason
            )
        _write(session, tournament, organiser, "off", letter, now=now)


def tell_all(
    session: Session, tournament: Tournament, key: str, what: str, sentence: str, words: str, *, now: datetime
) -> None:
    """Write an organiser's act to everybody who is in; `what` and `sentence` are marked for translation."""
    cast = cast_of(session, tournament.id)

    def news(_person: Person, _entrant: TournamentEntrant) -> TournamentNews | None:
        return TournamentNews(_(what), _(sentence).format(name=tournament.name), words=words)

    write_all(session, tournament, cast, key, news, now=now)


def tell_one(
    session: Session,
    tournament: Tournament,
    person: Person,
    key: str,
    news: Callable[[], TournamentNews],
    *,
    kind: LetterKind = TOURNAMENT,
    now: datetime,
) -> None:
    """Write to one person, whether they are in or not; `news` is called in their language."""
    with in_language(person.language):
        letter = news()
    _write(session, tournament, person, key, letter, kind=kind, now=now)


def write_all(session: Session, tournament: Tournament, cast: Cast, key: str, news: Tell, *, now: datetime) -> None:
    """Write one letter to each entrant for whom `news` has something; removed and departed ones and robots get none."""
    for number, entrant in cast.entrants.items():
        person = cast.persons[number]
        if entrant.is_robot or entrant.state is EntrantState.REMOVED or person.departed_at is not None:
            continue
        with in_language(person.language):
            letter = news(person, entrant)
        if letter is not None:
            _write(session, tournament, person, key, letter, now=now)


def _write(
    session: Session,
    tournament: Tournament,
    person: Person,
    key: str,
    news: TournamentNews,
    *,
    kind: LetterKind = TOURNAMENT,
    now: datetime,
) -> None:
    if person.robot_level or person.departed_at is not None or not kind.is_wanted_by(person):
        return
    draft = Draft(
        kind, f"tournament:{tournament.id}:{key}:u{person.id}",
        reply_token=command_token(session, person, now=now).id,
        stop_token=stop_token(session, person, kind, now=now) if kind.stops else None,
    )  # fmt: skip
    with in_language(person.language):
        heading = heading_of(tournament)
    letters.write_letter(
        session, letters.to_person(session, person), draft, now=now, heading=heading, path=path_of(tournament),
        what=news.what, state=news.state, lines=news.lines, words=news.words, rows=news.rows,
    )  # fmt: skip


def path_of(tournament: Tournament) -> str:
    """Return the path of the page of a tournament, league or ladder."""
    folder = {Format.LEAGUE: "leagues", Format.LADDER: "ladders"}.get(tournament.format)
    return f"/tournaments/{tournament.id}" if folder is None else f"/{folder}/{tournament.game}"


def heading_of(tournament: Tournament) -> str:
    """Return what the subject of a letter begins with, in the current language."""
    if tournament.format in PERPETUAL:
        return f"[{title_of(tournament)}]"
    return _("[Tournament {number}] {name}").format(number=tournament.id, name=tournament.name)


def title_of(tournament: Tournament) -> str:
    """Return the name of a tournament, or what a league or ladder is called in the current language."""
    sentence = {Format.LEAGUE: N_("League of {game}"), Format.LADDER: N_("Ladder of {game}")}.get(tournament.format)
    return tournament.name if sentence is None else _(sentence).format(game=_(GAMES[tournament.game].name))


# -- sentences, in the current language --------------------------------------------------


def opponents_in(field: Field, cast: Cast, entrant_id: int, number: int) -> list[str]:
    """Return the handles of an entrant's opponents in a round, each once."""
    games = [pairing for pairing in field.of_round(number) if entrant_id in pairing.seats]
    return list(dict.fromkeys(cast.handle(pairing.opponent(entrant_id)) for pairing in games))


def game_rows(field: Field, cast: Cast, entrant_id: int, number: int) -> list[str]:
    """Return a line for each game of an entrant in a round."""
    games = [one for one in field.of_round(number) if entrant_id in one.seats and one.game is not None]
    sentence = _("Game {game}: {opponent} ({seat})")
    return [
        sentence.format(game=one.game, opponent=cast.handle(one.opponent(entrant_id)), seat=_seat(one, entrant_id))
        for one in games
    ]


def _seat(pairing: Pairing, entrant_id: int) -> str:
    return _("you move first") if pairing.seats[0] == entrant_id else _("your opponent moves first")


def _byes(byes: Sequence[Bye]) -> list[str]:
    if not byes:
        return []
    if not byes[-1].points:
        return [_("You have a bye in round {round}.").format(round=byes[-1].round)]
    points = points_text(byes[-1].points)
    return [_("You have a bye in round {round}, for {points}.").format(round=byes[-1].round, points=points)]


def _standing(row: Row | None) -> list[str]:
    if row is None:
        return []
    sentence = _("You stand at place {rank}, with {points}.")
    return [sentence.format(rank=row.rank, points=points_text(row.points))]


def _last_day(field: Field, number: int, person: Person) -> list[str]:
    ends_at = next((one.ends_at for one in field.rounds if one.number == number), None)
    if ends_at is None:
        return []
    sentence = _("The round lasts until {day} at the latest; the next one then begins without waiting for late games.")
    return [sentence.format(day=weekday(ends_at, person.zone, person.language))]


def points_text(points: float) -> str:
    """Say a number of points: “2½ points”."""
    return ngettext("{count} point", "{count} points", 1 if points == 1 else 2).format(count=half(points))


def half(points: float) -> str:
    """Write a number of half points: “2½”."""
    whole, is_half = int(points), points != int(points)
    return f"{whole or ('' if is_half else 0)}{'½' if is_half else ''}"


def standing_rows(table: Sequence[Row], cast: Cast) -> list[str]:
    """Return the standings as lines."""
    several = len({(row.round, row.section) for row in table}) > 1
    lines = []
    for row in table:
        if row.entrant is not None:
            head = _("section {section}, ").format(section=row.section) if several else ""
            lines.append(f"{head}{row.rank}. {cast.handle(row.entrant)}: {half(row.points)}")
    return lines
