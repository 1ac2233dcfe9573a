"""Features: parts of the service that the core does not know, each a folder of its own.

Input: the registries of the core's packages. Output: these registries, with the parts of every feature.

A feature's folder holds its tables, use cases, pages, letters, templates and static files. Its module `feature` has
one value, FEATURE, which `load` adds to the registries. No core package imports a feature, and no feature another
(`tests/test_layers.py`). Features may register only what can still be added: `load` runs before the first page,
letter or command.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from flask import Blueprint, Flask
from sqlmodel import Session

from correspondence.accounts import access, api_tokens
from correspondence.accounts.access import Ender, Fates
from correspondence.commands import arguments, help, registry
from correspondence.commands.handlers import matchmaking
from correspondence.commands.handlers.matchmaking import Acceptance, Withdrawal
from correspondence.commands.help import Topic
from correspondence.commands.registry import Declaration
from correspondence.community import data_export, person_keys
from correspondence.community.person_keys import PersonKey
from correspondence.core import limits, sweeps
from correspondence.core.config import SettingError, Settings
from correspondence.core.sweeps import Sweep
from correspondence.fairness import evidence
from correspondence.models import Event, Person, versions
from correspondence.models.columns import Table, share_types
from correspondence.ops import backups
from correspondence.outbound import events, kinds, stops
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.stops import StopTopic
from correspondence.play import game_end
from correspondence.play.game_end import GamesEnded
from correspondence.robots import spare_work
from correspondence.robots.spare_work import SpareWork
from correspondence.web import arrivals, books, compression, front_parts, links, panels, profile_parts
from correspondence.web.books import Book
from correspondence.web.front_parts import FrontPart
from correspondence.web.links import Link
from correspondence.web.panels import BoardPanel, Panel
from correspondence.web.profile_parts import ProfilePart


@dataclass(frozen=True, kw_only=True)
class Feature:
    """What one feature adds to the core.

    Letter kinds, tables, keys and limits stay when the feature is switched off (`FEATURES`), so that stored rows keep
    their meaning. Pages, panels and robots' work go: its addresses answer 404. The words of its commands stay reserved:
    they are refused with a sentence, and never passed on as talk.
    """

    name: str
    folder: Path
    """The folder with `templates/mail` and `templates/web`."""
    letters: tuple[LetterKind, ...] = ()
    commands: tuple[Declaration, ...] = ()
    """Commands by mail (`commands/registry.py`)."""
    help_topics: Mapping[str, Topic] = field(default_factory=dict)
    """Topics of `help` by mail (`commands/help.py`)."""
    withdrawals: tuple[Withdrawal, ...] = ()
    """What the number in `withdraw 5` may mean (`commands/handlers/matchmaking.py`)."""
    acceptances: tuple[Acceptance, ...] = ()
    """What `accept` without a number may mean (`commands/handlers/matchmaking.py`)."""
    stops: tuple[StopTopic, ...] = ()
    """Topics of its letters that a member can stop (`outbound/stops.py`)."""
    person_keys: Mapping[str, PersonKey] = field(default_factory=dict)
    """The meaning of each foreign key to a person, by `table.column`."""
    versions: Mapping[type[Table], Callable[[Any, Any], Any]] = field(default_factory=dict)
    """The page versions that a changed row raises (`models/versions.py`)."""
    limits: Mapping[str, limits.Held] = field(default_factory=dict)
    """Limits enforced by counting rows (`core/limits.py`)."""
    blueprints: tuple[Blueprint, ...] = ()
    calls: tuple[ModuleType, ...] = ()
    """Modules whose import declares calls for programs (`api/calls.py`)."""
    panels: tuple[Panel, ...] = ()
    board_panels: tuple[BoardPanel, ...] = ()
    """Sections of the analysis board (`web/panels.py`)."""
    profile_parts: tuple[ProfilePart, ...] = ()
    """Parts of the page of a member (`web/profile_parts.py`)."""
    books: tuple[Book, ...] = ()
    """Opening books, whose moves are counted with those of finished games."""
    origins: Mapping[str, str] = field(default_factory=dict)
    """What lists say about imported games, by their tag Site (`fairness/evidence.py`)."""
    work: SpareWork | None = None
    access: Mapping[type[Table], tuple[Fates, Ender]] = field(default_factory=dict)
    """Tables whose rows give access to an account (`accounts/access.py`)."""
    not_exported: tuple[str, ...] = ()
    """Columns, as `table.column`, that a data export leaves out."""
    secret_pages: tuple[str, ...] = ()
    """Blueprints whose pages show secrets: they are not compressed."""
    front: tuple[FrontPart, ...] = ()
    """Parts of the front page (`web/front_parts.py`)."""
    menu: tuple[Link, ...] = ()
    settings_links: tuple[Link, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    on_events: Callable[[Session, int, Sequence[Event], datetime], None] | None = None
    """Called with a person's newly published events."""
    on_arrival: Callable[[Session, Person], str] | None = None
    """Called with the member who joins or signs in, in the request of their browser (`web/arrivals.py`)."""
    on_games_ended: GamesEnded | None = None
    """Called with games that end, after their ratings and before their letters, and if a result is changed later."""
    on_tokens_ended: Callable[[Session, Collection[int]], None] | None = None
    """Called with the ids of API tokens that end."""
    drop_waiting: Callable[[Session], None] | None = None
    """Drops messages that wait in a restored database, because they may have left."""


@cache
def load() -> Mapping[str, Feature]:
    """Import every feature and add its parts to the registries, once; return them by name."""
    names = sorted(file.parent.name for file in Path(__file__).parent.glob("*/feature.py"))
    found = [import_module(f"{__name__}.{name}.feature").FEATURE for name in names]
    share_types(Table.metadata)
    for feature in found:
        _register(feature)
    return MappingProxyType({feature.name: feature for feature in found})


def _register(feature: Feature) -> None:
    if feature.letters:
        kinds.register(feature.letters, feature.folder / "templates" / "mail")
    registry.declare(*feature.commands, feature=feature.name)
    help.TOPICS.update(feature.help_topics)
    matchmaking.WITHDRAWALS.extend(feature.withdrawals)
    matchmaking.ACCEPTANCES.extend(feature.acceptances)
    arguments.WITHDRAWN.update({one.word: one.word for one in feature.withdrawals})
    stops.register(feature.stops)
    person_keys.PERSON_KEYS.update(feature.person_keys)
    versions.RAISES.update(feature.versions)
    limits.COUNTED.update(feature.limits)
    panels.PANELS.extend(feature.panels)
    panels.BOARD_PANELS.extend(feature.board_panels)
    profile_parts.PARTS.extend(feature.profile_parts)
    books.BOOKS.extend(feature.books)
    evidence.ORIGINS.update(feature.origins)
    data_export.INTERNAL.update(feature.not_exported)
    compression.SHOW_SECRETS.update(feature.secret_pages)
    front_parts.PARTS.extend(feature.front)
    links.MENU.extend(feature.menu)
    links.SETTINGS.extend(feature.settings_links)
    sweeps.SWEEPS.extend(feature.sweeps)
    if feature.work is not None:
        spare_work.WORK[feature.name] = feature.work
    for table, (fates, end) in feature.access.items():
        access.register(table, fates, end)
    for functions, one in (
        (events.ON_PUBLISHED, feature.on_events),
        (arrivals.ON_ARRIVAL, feature.on_arrival),
        (game_end.ON_ENDED, feature.on_games_ended),
        (api_tokens.ON_ENDED, feature.on_tokens_ended),
        (backups.DROP_WAITING, feature.drop_waiting),
    ):
        functions.extend([one] if one is not None else [])  # type: ignore[list-item]


def check(settings: Settings) -> None:
    """Raise SettingError if `FEATURES` names a feature that does not exist."""
    unknown = sorted(settings.features_off - load().keys())
    if unknown:
        known = ", ".join(load())
        raise SettingError(f"FEATURES names “{unknown[0]}”, which does not exist. Features are: {known}.")


def attach(app: Flask, settings: Settings) -> None:
    """Register the pages of all features that are switched on."""
    for feature in load().values():
        if settings.has_feature(feature.name):
            for blueprint in feature.blueprints:
                app.register_blueprint(blueprint)
