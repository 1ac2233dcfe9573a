"""New handles cannot be taken for those of other members, of the service, or of a robot; existing ones stay."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from correspondence.accounts import accounts, joining, postal_members
from correspondence.accounts.accounts import PeopleError
from correspondence.accounts.postal_members import PostalDetails
from correspondence.community import erasure
from correspondence.core import db
from correspondence.models import Person, Token
from tests.post import at_once, text_of

DOOR = "play@games.example"
ALIKE = [
    ("paul", "pauI"), ("paul", "pau1"), ("paul", "PAUI"), ("allan", "aI1an"), ("bob", "b0b"), ("O-Neill", "o-nei1I"),
    ("Ian", "lan"), ("lan", "Ian"), ("nell", "neIl"), ("neil", "Neil"), ("neil", "NEIL"),
    ("marne", "mame"), ("wolf", "vvolf"), ("ann_b", "ann-b"), ("ann_b", "ann__b"), ("ann-b", "ANN_B"),
    ("mio", "rni0"), ("alice", "al1ce"), ("alice", "AL1CE"), ("al1ce", "alice"), ("alice", "ALlCE"), ("Millie", "m11lie"),
    ("m11lie", "millie"), ("bilil", "b1l1l"),
]  # fmt: skip
RESERVED = [
    "operator", "moderator", "staff", "security", "Operators", "m0derator", "adm1n", "STAFF", "staff-ann", "ann_admin",
    "mod7", "no-reply", "no_reply", "mailer-daemon", "the-moderators", "supp0rt", "webmaster", "moderatore", "white",
    "he1p", "service",
]  # fmt: skip


@pytest.mark.parametrize(("taken", "new"), ALIKE)
def test_a_handle_that_looks_like_another_is_refused_with_a_sentence(town, taken, new):
    town.join(taken)
    town.mail("eve@example.org", DOOR, f"join {new}")
    answer = " ".join(text_of(town.letter("eve")).split())
    assert f"“{new}” looks too much like the handle of another member." in answer or "is taken" in answer
    refused = town.client().post("/join", data={"handle": new, "mail": "eve@example.org"})
    assert refused.status_code == 422 and f'value="{new}"' in refused.text


@pytest.mark.parametrize("handle", RESERVED)
def test_a_handle_of_the_service_is_refused_with_a_sentence(town, handle):
    town.mail("eve@example.org", DOOR, f"join {handle}")
    assert "is kept for the service itself" in " ".join(text_of(town.letter("eve")).split())


@pytest.mark.parametrize("handle", ["paul_", "paul-", "paul__", "p-", "paul-_"])
def test_a_handle_that_ends_with_a_mark_is_refused_with_a_sentence(town, handle):
    refused = town.client().post("/join", data={"handle": handle, "mail": "eve@example.org"})
    assert refused.status_code == 422 and "A handle ends with a letter or a digit" in refused.text


def test_handles_that_differ_to_the_eye_stand_beside_each_other(town):
    town.join("paul", "paula", "pauline", "pal", "paul2", "paul-b", "anna", "hanna", "modern", "adminton", "staffan",
              "helpful", "Ali", "blackbird", "whitney", "rook", "Ann7", "neil", "nell", "Mila", "Milla", "ian", "lan",
              "alice", "allce", "Iris", "Lars")  # fmt: skip
    assert len(town.people()) == 27


@pytest.mark.parametrize(
    ("gone", "likes"), [("paul", ("paul", "pauI", "PAU1")), ("alice", ("Alice", "al1ce", "ALICE"))]
)
def test_a_departed_member_keeps_others_from_handles_like_theirs(town, gone, likes):
    town.join(gone)
    with db.transaction(town.engine) as session:
        erasure.forget(session, town.person(session, gone), now=town.time)
        for handle in likes:
            with pytest.raises(PeopleError):
                accounts.checked_handle(session, handle)
        assert gone not in str(session.exec(select(Person)).one().model_dump())


def test_a_member_by_post_gets_no_handle_like_that_of_another(town):
    town.join("hilda", "paul")
    details = PostalDetails("P", "Mill Lane 1", plays_by_post=True)
    with db.transaction(town.engine) as session, pytest.raises(PeopleError, match="looks too much like"):
        postal_members.register(
            session, "pauI", details, language="en", zone="UTC", helper="hilda", now=town.time
        )  # fmt: skip


@pytest.mark.parametrize("handles", [("paul", "pauI", "Pau1", "PAUL"), ("alice", "al1ce", "AlIce", "ALlCE")])
def test_of_handles_alike_that_join_at_once_one_is_made(anywhere, handles):
    with db.transaction(anywhere.engine) as session:
        for number, handle in enumerate(handles):
            joining.request_join(session, handle, f"p{number}@example.org", now=anywhere.time)
        numbers = [token.id for token in session.exec(select(Token).where(Token.purpose == "join"))]

    def join(number):
        with db.transaction(anywhere.engine) as session:
            joining.confirm_join(session, number, now=anywhere.time)

    results = at_once(*(lambda number=number: join(number) for number in numbers), refusals=(PeopleError,))
    assert results.count("done") == 1 and len(anywhere.people()) == 1
    assert all(re.search("is taken|looks too much", one) for one in results if one != "done")
