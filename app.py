"""The application: `flask run` serves its pages, `python app.py` everything in one process."""

from __future__ import annotations

from correspondence import create_app

app = create_app()

if __name__ == "__main__":
    from correspondence.serve import serve

    serve(app)
