"""Every read that a page shows, already redacted for its viewer.

In come a viewer and what they ask for; out go frozen values that hold nothing they may not know.
"""
