"""The operators' admin page and its paginated lists, hidden from everybody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from flask import Blueprint, abort, render_template
from sqlmodel import Session

from correspondence.accounts import operators, web_sessions
from correspondence.community import reports
from correspondence.moderation import register
from correspondence.moderation.acts import Operator
from correspondence.queries import admin as reads
from correspondence.web import session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import number, query_text
from engines.wording import N_

bp = Blueprint("admin", __name__)

PAGE = 100
"""Number of rows on a page of one list."""

LAST_PAGE = 100_000
"""Highest page number."""


@dataclass(frozen=True, slots=True)
class List:
    """A list of the admin page: its heading, and a function that reads its rows.

    `read` takes a session, the number of rows, and how many newer rows to skip.
    """

    heading: str
    read: Callable[[Session, int, int], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a list, and whether older ones follow."""

    rows: Sequence[Any]
    has_more: bool


LISTS: Mapping[str, List] = MappingProxyType(
    {
        "suspended": List(N_("Suspended members"), reads.suspended),
        "messages": List(N_("Mail set aside"), reads.set_aside_messages),
        "letters": List(N_("Undelivered letters"), reads.letters_that_failed),
        "reports": List(N_("Reports about players"), reports.last_reports),
        "stopped": List(N_("Members whose letters are stopped"), reads.unreachable),
        "refused": List(N_("Recently refused mail"), reads.refused),
    }
)
"""The lists by their names in URLs."""


@bp.get("/desk")
def show() -> str:
    """Show the admin page; 404 for all but operators, so that nobody learns who is one."""
    runtime = current_runtime()
    with reading() as db:
        require_operator(db)
        seen = reads.admin_page(db, runtime.settings, now=runtime.now())
        lists = {name: rows_of_page(one.read, db, reads.LISTED, 0) for name, one in LISTS.items()}
    return render_template("admin.html", admin=seen, lists=lists, headings=LISTS, register=register)


@bp.get("/desk/lists/<name>")
def listed(name: str) -> str:
    """Show one list of the admin page, newest first, a page at a time."""
    page = asked_page()
    with reading() as db:
        require_operator(db)
        if name not in LISTS:
            abort(404)
        rows = rows_of_page(LISTS[name].read, db, PAGE, page * PAGE)
    return render_template("admin/list.html", name=name, heading=LISTS[name].heading, rows=rows, page=page)


def asked_page() -> int:
    """The page number in the URL, counted from 0."""
    return min(number(query_text("page", 12)) or 0, LAST_PAGE)


def require_operator(db: Session) -> Operator:
    """The visitor as an operator; 404 for everybody else, so that nobody learns who is one."""
    visitor = session.visitor()
    if visitor is None or not operators.is_operator(db, visitor.id):
        abort(404)
    return Operator(visitor.id, web_sessions.began_at(db, visitor.session_id))


def rows_of_page(read: Callable[[Session, int, int], Sequence[Any]], db: Session, most: int, skip: int) -> Rows:
    """Read at most `most` rows of a list after skipping `skip`.

    One more row is read to see whether older ones follow.
    """
    found = read(db, most + 1, skip)
    return Rows(found[:most], len(found) > most)
