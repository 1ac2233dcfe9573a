"""Words for the dice of an open offer; its maker may change them until it is accepted.

The maker sees the commitment first, so the service could not know the words when it committed. Nobody else sees
the words before the game begins (docs/fairness.md, “Seed and commitment”).
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, or_, select

from correspondence.fairness.seeds import checked_words, told_commitment
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import Person, Seek, SeekState
from correspondence.models.matchmaking import OLDEST_FIRST
from correspondence.outbound.letters import wrapped_behind
from engines.wording import _, listing


def change(session: Session, person: Person, number: int | None, text: str, *, now: datetime) -> Seek:
    """Set the words of a person's own open challenge, seek or invitation.

    Without `number`, it changes the only one. An empty text removes the words. Raises ChallengeError or WordsError.
    """
    words = checked_words(text)
    seek = _own_open_offer(session, person, number, now=now)
    seek.words = words
    session.add(seek)
    return seek


def _own_open_offer(session: Session, person: Person, number: int | None, *, now: datetime) -> Seek:
    """Return the offer, locked, so that nobody accepts it at the same time."""
    own = _open_offers(session, person, now=now)
    if number is None and len(own) > 1:
        sentence = _(
            "Several offers of yours are open: {numbers}. Please name one, for example: words {number}: a walk"
        )
        raise ChallengeError(sentence.format(numbers=listing([str(one) for one in own], _("and")), number=own[0]))
    found = [one for one in own if number in (None, one)]
    seek = session.get(Seek, found[0], with_for_update=True, populate_existing=True) if found else None
    if seek is None or seek.state != SeekState.OPEN:
        raise ChallengeError(_no_offer(number))
    return seek


def _open_offers(session: Session, person: Person, *, now: datetime) -> list[int]:
    query = select(Seek.id).where(col(Seek.person_id) == person.id, col(Seek.state) == SeekState.OPEN)
    query = query.where(or_(col(Seek.expires_at).is_(None), col(Seek.expires_at) > now))
    return list(session.exec(query.order_by(*OLDEST_FIRST)))


def _no_offer(number: int | None) -> str:
    if number is not None:
        return _("You have no open challenge or seek with the number {number}.").format(number=number)
    return _(
        "You have no open offer to add these words to. Write them in the mail in which you challenge, seek, "
        "invite or accept."
    )


def told_of_offer(session: Session, seek: Seek) -> tuple[str, str]:
    """Explain the randomness of an open offer to its maker.

    Returns a sentence, and rows with the commitment and their words. No row can be read as a command when a letter is
    quoted.
    """
    commitment = told_commitment(session, seek)
    if seek.state != SeekState.OPEN or not commitment:
        return told_words(seek.words)
    if seek.words:
        sentence = _(
            "All chance in the game follows from a secret and from your words. The secret's fingerprint and your "
            "words are below."
        )
        return sentence, f"· {commitment}\n{_behind(seek.words)}"
    sentence = _(
        "All chance in the game follows from a secret, whose fingerprint is below. Until somebody accepts, "
        "you can add your own randomness with a line like the one below it."
    )
    line = _("words {number}: a walk in the rain").format(number=seek.id)
    return sentence, f"· {commitment}\n· {line}"


def told_words(words: str) -> tuple[str, str]:
    """Return a sentence and rows that repeat a person's words; both empty without words."""
    return (_("Your own randomness is below."), _behind(words)) if words else ("", "")


def _behind(words: str) -> str:
    return wrapped_behind(words, "| ")
