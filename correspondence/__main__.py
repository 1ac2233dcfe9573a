"""Everything in one process: `python -m correspondence`."""

from __future__ import annotations

from correspondence.core.config import exit_on_setting_error
from correspondence.core.garbage_collection import without_garbage_collection


def main() -> None:
    """Serve until interrupted; an invalid setting ends the process with a sentence."""
    from correspondence.wsgi import app  # reads the settings on import

    with without_garbage_collection():
        from correspondence.ops.serve import serve

    with exit_on_setting_error():
        serve(app)


if __name__ == "__main__":
    main()
