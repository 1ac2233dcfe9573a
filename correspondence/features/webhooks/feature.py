"""The feature's parts, for the registries of the core."""

from __future__ import annotations

from pathlib import Path

from correspondence.accounts.access import ENDS_WITH_SIGN_OUT
from correspondence.community.person_keys import OWN_DROPPED
from correspondence.core.limits import Held
from correspondence.core.sweeps import Sweep
from correspondence.features import Feature
from correspondence.features.webhooks import calls, letters, pages, webhooks
from correspondence.features.webhooks.sweep import IS_DUE, sweep
from correspondence.features.webhooks.tables import Webhook
from correspondence.web.links import Link
from engines.wording import N_

FEATURE = Feature(
    name="webhooks",
    folder=Path(__file__).parent,
    letters=(letters.WEBHOOK, letters.WEBHOOK_OFF),
    person_keys={"webhook.person_id": OWN_DROPPED},
    access={Webhook: (ENDS_WITH_SIGN_OUT, lambda session, number, _now: webhooks.remove_all(session, number))},
    not_exported=("webhook.nonce",),
    limits={"features.webhooks.webhooks.MOST": Held.PERSON},
    blueprints=(pages.bp,),
    calls=(calls,),
    secret_pages=("webhooks",),
    settings_links=(Link("webhooks", "webhooks.show", N_("Webhooks: tell my programs what happens")),),
    sweeps=(Sweep("webhooks", "webhooks", IS_DUE, sweep),),
    on_events=webhooks.hand_over,
    on_tokens_ended=webhooks.remove_made_by,
    drop_waiting=webhooks.drop_waiting,
)
