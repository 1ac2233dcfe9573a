"""A message that a person wrote, as it is handed from one step of its handling to the next."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime

from correspondence.core.config import Settings
from correspondence.mime.classify import Classification
from correspondence.models import Inbound


@dataclass(frozen=True, slots=True)
class PersonalMail:
    """A message of a person, and what is needed to act on it. `author` is its one From address, which proves nothing."""

    inbound: Inbound
    author: str
    classification: Classification
    settings: Settings
    now: datetime
    rng: random.Random

    @property
    def box(self) -> str:
        """The local part of the address of ours that it was sent to."""
        return self.inbound.recipient.partition("@")[0]
