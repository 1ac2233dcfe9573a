"""The sweep that loads the starter set into a new installation."""

from __future__ import annotations

from sqlmodel import col, select

from correspondence.core.db import transaction
from correspondence.core.runtime import Runtime
from correspondence.features.samples import loading
from correspondence.features.samples.tables import SampleSet

IS_DUE = select(SampleSet.id).where(col(SampleSet.is_due)).exists()
"""Whether a batch is still to be loaded."""


def sweep(runtime: Runtime) -> int:
    """Load the next batch of the starter set; return 1 if there may be another one."""
    with transaction(runtime.engine) as session:
        return int(loading.load_next(session, runtime.signer, now=runtime.now()))
