"""The application of a checkout: `flask run` serves its pages, `python app.py` everything in one process."""

from __future__ import annotations

from correspondence.__main__ import main
from correspondence.wsgi import app

__all__ = ["app"]

if __name__ == "__main__":
    main()
