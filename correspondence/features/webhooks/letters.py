"""The kinds of letters about webhooks."""

from __future__ import annotations

from correspondence.outbound.kinds import LetterKind
from engines.wording import N_

WEBHOOK = LetterKind(name="webhook", title=N_("a webhook was made"))
WEBHOOK_OFF = LetterKind(name="webhook_off", title=N_("a webhook was switched off"))
