"""The read side of the pages: every query returns values already redacted for its viewer.

In come a viewer and what they ask for; out go frozen values that hold nothing the viewer may not know.
"""
