"""All tables. Times are aware UTC, durations whole seconds; no row holds a secret in clear.

Each module has the tables of one topic; import them from here, and load a match by `loading`. Input: rows. Output:
rows, and their positions.
"""

from __future__ import annotations

# These imports determine the order of the tables in the metadata.
# isort: off
from correspondence.models.people import (
    Address,
    LetterRequest,
    Person,
    Purpose,
    RequestKind,
    Scope,
    Suppression,
    Token,
    WebSession,
)
from correspondence.models.matchmaking import (
    NEVER_AGAIN,
    DailySeed,
    MemberMail,
    DirectoryListing,
    OfferSeed,
    Pairing,
    Seek,
    SeekState,
    SigningKey,
)
from correspondence.models.matches import (
    PLAYING,
    By,
    ImportedRecord,
    Lateness,
    Match,
    Move,
    Player,
    Seed,
    SignedEnd,
    TakenBackMove,
)
from correspondence.models.time import Cause, ClockStop, Heartbeat, Outage, Process, SweepLease, Vacation
from correspondence.models.talk import Audience, Offer, OfferKind, OfferState, Plan, PlanStop, Remark, Variation
from correspondence.models.mail import (
    LOST,
    STALE,
    FetchProgress,
    Inbound,
    InboundState,
    Letter,
    LetterState,
    MailDomain,
    StrangerAnswer,
)
from correspondence.models.pushes import PushSubscription as PushSubscription
from correspondence.models.events import Event, EventKind
from correspondence.models.programs import ApiScope, ApiToken
from correspondence.models.ratings import Rating, RatingChange
from correspondence.models.robots import RobotTurn, RobotWatch
from correspondence.models.exercises import Exercise, ExerciseAttempt, ExerciseRating, ExerciseSearch
from correspondence.models.relations import Block, MemberReport, Mute
from correspondence.models.operations import Counted, Fingerprint, HiddenWords, LostNumbers, OperatorAct, ServiceState
from correspondence.models.archive import ArchiveMonth, Continuation, Opening
from correspondence.models.postal import PostalEntry, PostalHelper, PostalMember
from correspondence.models.versions import PageVersion, PagePart

# isort: on
from correspondence.models.columns import Table, share_types

share_types(Table.metadata)  # before the first statement, which uses the types

__all__ = [
    "Address",
    "ApiScope",
    "ApiToken",
    "ArchiveMonth",
    "Audience",
    "Block",
    "By",
    "Cause",
    "ClockStop",
    "Continuation",
    "Counted",
    "DailySeed",
    "DirectoryListing",
    "Event",
    "EventKind",
    "Exercise",
    "ExerciseAttempt",
    "ExerciseRating",
    "ExerciseSearch",
    "FetchProgress",
    "Fingerprint",
    "Heartbeat",
    "HiddenWords",
    "ImportedRecord",
    "Inbound",
    "InboundState",
    "Lateness",
    "Letter",
    "LOST",
    "LetterRequest",
    "LetterState",
    "LostNumbers",
    "MailDomain",
    "Match",
    "MemberMail",
    "MemberReport",
    "Move",
    "Mute",
    "NEVER_AGAIN",
    "Offer",
    "OfferKind",
    "OfferSeed",
    "OfferState",
    "Opening",
    "OperatorAct",
    "Outage",
    "PLAYING",
    "PageVersion",
    "Pairing",
    "PagePart",
    "Person",
    "Plan",
    "PlanStop",
    "Player",
    "PostalEntry",
    "PostalHelper",
    "PostalMember",
    "Process",
    "Purpose",
    "PushSubscription",
    "Rating",
    "RatingChange",
    "Remark",
    "RequestKind",
    "STALE",
    "RobotTurn",
    "RobotWatch",
    "Scope",
    "Seed",
    "Seek",
    "SeekState",
    "ServiceState",
    "SignedEnd",
    "SigningKey",
    "StrangerAnswer",
    "Suppression",
    "SweepLease",
    "TakenBackMove",
    "Token",
    "Vacation",
    "Variation",
    "WebSession",
]
