"""The way back for somebody who has lost all addresses: a code that one letter tells, and that works once."""

from __future__ import annotations

import re

import pytest
from sqlmodel import col, select

from correspondence.accounts import accounts, joining, recovery, web_sessions
from correspondence.accounts.accounts import PeopleError
from correspondence.commands import CommandError, NewRecoveryCode, Other, Recover, read_line
from correspondence.core import db, tokens
from correspondence.core.signing import signer_of
from correspondence.models import Inbound, Letter, LetterState, Purpose, Token
from correspondence.outbound import compose, recovery_codes
from tests.post import text_of
from tests.test_addresses import DOOR, HOME, WORK, add, ask, flat_text, owned, to
from tests.world import mail_world

NEW = "ann@new.example"
CODE = re.compile(r"\b(?:[a-z2-7]{5}-){5}[a-z2-7]\b")


@pytest.fixture
def ann(town):
    town.mail(HOME, DOOR, "join ann")
    town.answer(town.letter("ann"), "yes")
    return town


def code_in(letter):
    return CODE.search(text_of(letter))[0]


def taken_back(town, code):
    """The account is taken back from a new address; what that address received."""
    town.received.clear()
    town.mail(NEW, DOOR, f"recover {code}")
    town.answer(to(town, NEW)[-1], "yes")
    return to(town, NEW)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("recover abcde-fghij-klmno-pqrst-uvwxy-2", Recover("abcdefghijklmnopqrstuvwxy2")),
        ("Recover ABCDE FGHIJ KLMNO PQRST UVWXY 2", Recover("abcdefghijklmnopqrstuvwxy2")),
        ("recupera abcdefghijklmnopqrstuvwxy2", Recover("abcdefghijklmnopqrstuvwxy2")),
        ("recovery code", NewRecoveryCode()),
        ("codice di recupero", NewRecoveryCode()),
        ("recover your pieces", Other("recover your pieces")),
    ],
)
def test_a_line_about_the_code_is_read(line, command):
    assert read_line(line) == command


@pytest.mark.parametrize("line", ["recover", "recover abcde-fghij-klmno-pqrst"])
def test_a_code_that_is_too_short_is_told_its_length(line):
    with pytest.raises(CommandError, match="26 letters"):
        read_line(line)


def test_the_welcome_letter_tells_the_code_and_nothing_that_is_kept_holds_it(ann):
    code = code_in(to(ann, HOME)[-1])
    plain = recovery.plain_code(code)
    assert "outside your mailbox" in flat_text(to(ann, HOME)[-1])
    with db.reading(ann.engine) as session:
        for table in (Letter, Token, Inbound):
            assert plain not in str(session.exec(select(table)).all()) and code not in str(
                session.exec(select(table)).all()
            )
    for letter in ann.received[:-1]:
        assert plain not in text_of(letter) and code not in text_of(letter)


def rows(town, table):
    with db.reading(town.engine) as session:
        return [one.model_dump() for one in session.exec(select(table).order_by(table.id))]


def test_once_the_letter_has_left_not_even_the_key_gives_the_code_back(ann):
    plain = recovery.plain_code(code_in(to(ann, HOME)[-1]))
    welcome = next(one for one in rows(ann, Letter) if one["kind"] == "welcome")
    token = next(one for one in rows(ann, Token) if one["purpose"] == Purpose.RECOVERY)
    key = ann.settings.secret_key
    assert token["digest"] == recovery_codes.digest_of(key, plain) and plain not in str(token)
    assert "%%code" not in welcome["text"] + welcome["html"] and recovery_codes.GONE in welcome["text"]
    assert tokens.spell(key, token["id"], tokens.RECOVERY) != plain
    with db.reading(ann.engine) as session:
        letter = session.get(Letter, welcome["id"])
        assert plain not in compose.compose(letter, ann.settings).decode().replace("-", "")


def test_a_letter_that_is_sent_again_tells_the_same_code_until_it_has_left(town):
    with db.transaction(town.engine) as session:
        joining.request_join(session, "ann", HOME, now=town.time)
        number = session.exec(select(Token.id).where(col(Token.purpose) == Purpose.JOIN)).one()
        joining.confirm_join(session, number, now=town.time)
        letter = session.exec(select(Letter).where(col(Letter.kind) == "welcome")).one()
        first = compose.compose(letter, town.settings)
        letter.state = LetterState.UNCERTAIN
        recovery_codes.settle(session, letter, town.settings.secret_key)
        assert compose.compose(letter, town.settings) == first
        assert session.get(Token, letter.link_token_id).digest


def test_two_members_with_the_same_numbers_of_rows_have_different_codes(tmp_path):
    codes = set()
    for name in ("one", "two"):
        town = mail_world(tmp_path / name)
        town.mail(HOME, DOOR, "join ann")
        town.answer(town.letter("ann"), "yes")
        codes.add(code_in(to(town, HOME)[-1]))
        town.close()
    assert len(codes) == 2


def test_a_code_of_before_codes_were_random_still_brings_back_and_a_spelled_one_of_today_does_not(ann):
    with db.transaction(ann.engine) as session:
        token = session.exec(select(Token).where(col(Token.purpose) == Purpose.RECOVERY)).one()
        spelled = tokens.grouped(tokens.spell(ann.settings.secret_key, token.id, tokens.RECOVERY))
        token.digest = None
        session.add(token)
    ann.mail(NEW, DOOR, f"recover {spelled}")
    assert "doesn't work" in flat_text(to(ann, NEW)[-1])
    with db.transaction(ann.engine) as session:
        token = session.get(Token, token.id)
        token.payload = "{}"
        session.add(token)
    taken_back(ann, spelled)
    assert owned(ann) == [NEW, HOME]


@pytest.mark.parametrize("mark", ["", "> "])
def test_a_reply_that_quotes_the_letter_with_the_code_is_answered_for_what_was_typed_alone(ann, mark):
    welcome = to(ann, HOME)[-1]
    quoted = "\n".join(f"{mark}{row}".rstrip() for row in text_of(welcome).splitlines())
    ann.received.clear()
    ann.answer(welcome, f"games\n\nOn Sat, 21 Nov 2026 at 10:05 Correspondence <play@games.example> wrote:\n{quoted}\n")
    [answer] = [text_of(one) for one in ann.received]
    assert "no game" in answer.casefold()
    assert not CODE.search(answer)
    assert "wrote" not in answer


def test_who_has_lost_all_addresses_comes_back_from_a_new_one_and_the_old_ones_are_told(ann):
    code = code_in(to(ann, HOME)[-1])
    with db.transaction(ann.engine) as session:
        key = web_sessions.begin(session, ann.person(session, "ann"), now=ann.time)
    taken_back(ann, code)
    assert owned(ann) == [NEW, HOME]
    assert "With your recovery code" in flat_text(to(ann, HOME)[-1]) and "undo" in flat_text(to(ann, HOME)[-1])
    assert "for a new one, write the line: recovery code" in flat_text(to(ann, NEW)[-1])
    with db.reading(ann.engine) as session:
        assert web_sessions.find(session, key, now=ann.time) is None


@pytest.mark.parametrize("spelled", [str.upper, lambda code: code.replace("-", " "), lambda code: code.replace("-", ""),
                                     lambda code: code.replace("o", "0").replace("b", "8")])  # fmt: skip
def test_a_code_is_read_however_it_was_copied(ann, spelled):
    taken_back(ann, spelled(code_in(to(ann, HOME)[-1])))
    assert owned(ann)[0] == NEW


def test_nothing_happens_before_the_new_address_has_answered(ann):
    code = code_in(to(ann, HOME)[-1])
    ann.received.clear()
    ann.mail(NEW, DOOR, f"recover {code}")
    assert [str(letter["To"]) for letter in ann.received] == [NEW] and owned(ann) == [HOME]
    ann.answer(ann.received[-1], "yes", sender="eve@evil.example")
    assert owned(ann) == [HOME]


def test_a_code_works_once(ann):
    code = code_in(to(ann, HOME)[-1])
    ann.mail(NEW, DOOR, f"recover {code}")
    first = to(ann, NEW)[-1]
    ann.mail("eve@evil.example", DOOR, f"recover {code}")
    second = to(ann, "eve@evil.example")[-1]
    ann.answer(first, "yes")
    ann.answer(second, "yes")
    assert owned(ann) == [NEW, HOME]
    ann.received.clear()
    ann.mail("eve@evil.example", DOOR, f"recover {code}")
    assert "doesn't work" in flat_text(ann.received[-1])


def test_an_old_address_undoes_the_use_of_a_stolen_code_for_a_week(ann):
    taken_back(ann, code_in(to(ann, HOME)[-1]))
    notice = to(ann, HOME)[-1]
    ann.answer(notice, "undo")
    assert owned(ann) == [HOME]
    ann.received.clear()
    ann.mail(NEW, DOOR, "games")
    assert "To join" in flat_text(to(ann, NEW)[-1])


def test_a_code_that_was_stolen_does_not_survive_undoing(ann):
    """Whoever is in an account of another mails themselves no code: it goes to the main address, and undoing ends it."""
    add(ann, "eve@evil.example")
    notice = to(ann, HOME)[-1]
    ask(ann, "address main eve@evil.example")
    with db.transaction(ann.engine) as session:
        recovery.send_new_code(session, ann.person(session, "ann"), now=ann.time)
    ann.deliver()
    stolen = code_in(to(ann, "eve@evil.example")[-1])
    assert "A new recovery code has been sent to eve@evil.example" in flat_text(to(ann, HOME)[-1])
    ann.answer(notice, "undo", sender=HOME)
    ann.mail("eve2@evil.example", DOOR, f"recover {stolen}")
    assert "doesn't work" in flat_text(to(ann, "eve2@evil.example")[-1]) and owned(ann) == [HOME]


def test_a_new_code_ends_the_old_one(ann):
    old = code_in(to(ann, HOME)[-1])
    ann.mail(HOME, DOOR, "games")
    ann.answer(to(ann, HOME)[-1], "recovery code")
    fresh = code_in(to(ann, HOME)[-1])
    assert fresh != old
    ann.mail(NEW, DOOR, f"recover {old}")
    assert "doesn't work" in flat_text(to(ann, NEW)[-1])
    taken_back(ann, fresh)
    assert owned(ann)[0] == NEW


def test_there_are_three_new_codes_a_day_at_most(ann):
    with db.transaction(ann.engine) as session:
        for _time in range(recovery.CODES_A_DAY):
            recovery.send_new_code(session, ann.person(session, "ann"), now=ann.time)
        with pytest.raises(PeopleError, match="tomorrow"):
            recovery.send_new_code(session, ann.person(session, "ann"), now=ann.time)


def test_guesses_are_answered_alike_and_a_few_times_a_day(ann):
    with db.transaction(ann.engine) as session:
        other = accounts.new_token(session, Purpose.SIGN_IN, now=ann.time, person=ann.person(session, "ann"))
        code_of_link = tokens.spell(ann.settings.secret_key, other.id, tokens.RECOVERY)
        link = tokens.spell(ann.settings.secret_key, other.id)
        code_id = session.exec(select(Token.id).where(col(Token.purpose) == Purpose.RECOVERY)).one()
        reply = tokens.spell(ann.settings.secret_key, code_id)
    ann.received.clear()
    for number, guess in enumerate([code_of_link, link, reply, "a" * 26, *(f"{n:a>26}" for n in range(20, 40))]):
        ann.mail("eve@evil.example", DOOR, f"hello {number}\nrecover {guess}")
    assert all("This recovery code doesn't work." in flat_text(letter) for letter in ann.received)
    assert 1 <= len(ann.received) <= 10 and owned(ann) == [HOME]


def test_a_member_is_told_to_write_the_code_from_elsewhere(ann):
    ann.mail(HOME, DOOR, f"recover {'a' * 26}")
    assert "This address belongs to ann already" in flat_text(to(ann, HOME)[-1])


def test_the_code_is_not_in_the_copy_of_ones_data(ann):
    from correspondence.community.data_export import export_chunks

    code = code_in(to(ann, HOME)[-1])
    with db.reading(ann.engine) as session:
        number = ann.person(session, "ann").id
    import io
    import zipfile

    file = zipfile.ZipFile(
        io.BytesIO(b"".join(export_chunks(ann.engine, number, signer=signer_of(ann.settings), now=ann.time)))
    )
    everything = b"".join(file.read(name) for name in file.namelist()).decode()
    assert "welcome" in everything.casefold() and code not in everything
    with db.reading(ann.engine) as session:
        assert not session.exec(select(Inbound).where(col(Inbound.raw).contains(code.encode()))).all()


def test_a_full_account_can_still_be_taken_back(ann):
    code = code_in(to(ann, HOME)[-1])
    for number in range(4):
        add(ann, f"ann{number}@work.example")
    taken_back(ann, code)
    assert owned(ann)[0] == NEW and WORK not in owned(ann)


def test_a_yes_that_comes_after_a_new_code_was_made_takes_nothing_back(ann):
    ann.mail(NEW, DOOR, f"recover {code_in(to(ann, HOME)[-1])}")
    with db.transaction(ann.engine) as session:
        recovery.send_new_code(session, ann.person(session, "ann"), now=ann.time)
    ann.answer(to(ann, NEW)[-1], "yes")
    assert owned(ann) == [HOME] and "no longer works" in flat_text(to(ann, NEW)[-1])
