"""What became of everything: moves, games, letters, mails received, clocks, memory, and what the logs complain of."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from bench.soak.players import Ledger, Seat
from bench.soak.population import Member
from bench.soak.relay import Relay
from bench.soak.services import Services
from correspondence.archive import import_export
from correspondence.core.runtime import Runtime
from correspondence.core.signing import check_signature
from correspondence.models import Inbound, InboundState, Letter, LetterState, Match, Move
from correspondence.models.loading import BY_TIME, players_of
from engines.verification.checks import ClaimState, check_record

MOST_GROWTH = 0.10
"""How much the memory of a process may grow between the middle and the last third of its life."""

LEAST_LOOKS = 400
"""A process must have been looked at so often (once a second) before its memory says anything."""

NOT_NEEDED = "no longer needed"
"""What a letter was cancelled for that says nothing else (delivery_log.py)."""

Figures = dict[str, Any]


def moves(session: Session, ledger: Ledger) -> Figures:
    """What members played and what is in the games: nothing may be lost, and nothing be there that nobody sent."""
    stored: dict[Seat, Counter[str]] = defaultdict(Counter)
    for match, seat, text in session.exec(select(Move.match_id, Move.seat, Move.text).where(col(Move.seat) >= 0)):
        stored[match, seat][text] += 1
    seats = stored.keys() | ledger.played.keys() | ledger.unsure.keys()
    lost = [f"game {seat[0]}: {text}" for seat in seats for text in (ledger.played[seat] - stored[seat]).elements()]
    foreign = [
        f"game {seat[0]}: {text}"
        for seat in seats
        for text in (stored[seat] - ledger.played[seat] - ledger.unsure[seat]).elements()
    ]
    return {"stored": sum(each.total() for each in stored.values()), "lost": lost, "doubled_or_foreign": foreign}


def games(session: Session, runtime: Runtime) -> Figures:
    """How games stand, and whether the record of each is verified as `flask verify` does it."""
    signer, how, wrong = runtime.signer, Counter[str](), list[str]()
    for number, reason, ended in session.exec(select(Match.id, Match.reason, Match.ended_at)).all():
        how[reason if ended is not None else "in play"] += 1
        text = import_export.export(session, number, signer, now=runtime.now()) or ""
        bad = [one for one in check_record(text, check_signature).findings if one.state == ClaimState.WRONG]
        wrong += [f"game {number}: {one}" for one in bad]
        session.expunge_all()
    return {"count": how.total(), "how": dict(how), "not_verified": wrong}


def late(session: Session, members: dict[int, Member]) -> Figures:
    """Who lost by time although they answer every letter; nobody may."""
    ended = session.exec(select(Match).where(col(Match.reason).in_(BY_TIME))).all()
    unjust = []
    for match in ended:
        players = players_of(session, match.id)
        if all(members[player.person_id].is_awake for player in players):
            unjust.append(f"game {match.id}, {match.reason}: {_last_letters(session, match)}")
    return {"ended_on_time": len(ended), "though_both_answer": unjust}


def _last_letters(session: Session, match: Match) -> str:
    """What became of the letters that told the last turn of a game."""
    letters = select(Letter).where(col(Letter.match_id) == match.id, col(Letter.kind).in_(["turn", "reminder"]))
    found = session.exec(letters.order_by(col(Letter.id).desc()).limit(3))
    lines = (
        f"{one.kind} after {one.ply} of {match.ply}, {one.state}, written {_clock(one.created_at)}, sent {_clock(one.sent_at)}"
        for one in found
    )
    return f"over {_clock(match.ended_at)}; {'; '.join(lines)}"


def _clock(at: datetime | None) -> str:
    return f"{at:%H:%M}" if at is not None else "never"


def letters(session: Session, relay: Relay) -> Figures:
    """What became of every letter: each was sent and came, or waits, or was stopped with a reason."""
    states, stopped, lost, untold, arrived = Counter[str](), Counter[str](), 0, 0, relay.arrived
    known = set()
    query = select(Letter.message_id, Letter.state, Letter.answer)
    for message, state, answer in session.exec(query):
        known.add(message)
        states[state] += 1
        if state == LetterState.SENT:
            lost += not arrived[message]
        elif state in (LetterState.CANCELLED, LetterState.FAILED):
            stopped[re.sub(r"\d+", "#", answer or NOT_NEEDED)[:70]] += 1
            untold += state == LetterState.FAILED and not answer
    twice = {number: count for number, count in arrived.items() if count > 1}
    excused = sum(min(count - 1, relay.unanswered[number]) for number, count in twice.items())
    return {
        "states": dict(states), "stopped": dict(stopped), "stopped_without_reason": untold, "said_sent_but_lost": lost,
        "came": arrived.total(), "came_again": sum(twice.values()) - len(twice), "came_again_after_a_cut_line": excused,
        "came_and_unknown": len(set(arrived) - known),
    }  # fmt: skip


def mails(session: Session, ledger: Ledger) -> Figures:
    """What became of every mail that the service said it had taken."""
    rows = session.exec(select(Inbound.message_key, Inbound.state, Inbound.reason)).all()
    kept = {key.partition("@")[0]: (state, reason) for key, state, reason in rows}
    ours = {number for number in ledger.kept if number in kept}
    how = Counter(f"{kept[number][0]}: {kept[number][1].strip().rpartition(chr(10))[2]}"[:70] for number in ours)
    return {
        "taken": len(ledger.kept), "lost": len(ledger.kept) - len(ours), "how": dict(how),
        "dead": sum(kept[number][0] == InboundState.DEAD for number in ours),
    }  # fmt: skip


def memory(services: Services) -> Figures:
    """Of each process that lived long enough: megabytes in the middle and in the last third of its life, and the growth."""
    found = {}
    for name, looks in services.memory.items():
        if len(looks) >= LEAST_LOOKS:
            third = len(looks) // 3
            middle, last = (statistics.median(mb for _at, mb in part) for part in (looks[third:-third], looks[-third:]))
            found[name] = {
                "middle": middle,
                "last": last,
                "growth": last / middle - 1,
                "seconds": looks[-1][0] - looks[0][0],
            }
    return found


def troubles(folder: Path) -> dict[str, int]:
    """What the logs complain of: the last line of each traceback, and how often it came."""
    found: Counter[str] = Counter()
    for file in folder.glob("*.log"):
        is_inside = False
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith("Traceback"):
                is_inside = True
            elif is_inside and line and not line.startswith((" ", "\t")):
                found[f"{file.stem}: {re.sub('[0-9]+', '#', line)[:110]}"] += 1
                is_inside = False
    return dict(found.most_common(30))


def broken(figures: Figures) -> list[str]:
    """Which promises were not kept, as sentences."""
    counts = {
        "moves were lost": len(figures["moves"]["lost"]),
        "moves are stored that nobody sent": len(figures["moves"]["doubled_or_foreign"]),
        "records are not verified": len(figures["games"]["not_verified"]),
        "games were lost on time though both players answer": len(figures["time"]["though_both_answer"]),
        "letters are said to be sent and never came": figures["letters"]["said_sent_but_lost"],
        "letters were stopped without a reason": figures["letters"]["stopped_without_reason"],
        "letters came that nobody wrote": figures["letters"]["came_and_unknown"],
        "mails that were taken are not there": figures["mails"]["lost"],
        "mails were set aside": figures["mails"]["dead"],
        "processes grew": sum(one["growth"] > MOST_GROWTH for one in figures["memory"].values()),
    }
    return [f"{count} {what}." for what, count in counts.items() if count]
