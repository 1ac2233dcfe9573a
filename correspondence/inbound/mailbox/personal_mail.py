"""A message written by a person, as passed between the steps of its handling."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime

from correspondence.core.config import Settings
from correspondence.mime.classify import Classification
from correspondence.models import Inbound


@dataclass(frozen=True, slots=True)
class PersonalMail:
    """A person's message and its context; `author` is its From address, which proves nothing."""

    inbound: Inbound
    author: str
    classification: Classification
    settings: Settings
    now: datetime
    rng: random.Random

    @property
    def box(self) -> str:
        """The local part of our address that it was sent to."""
        return self.inbound.recipient.partition("@")[0]
