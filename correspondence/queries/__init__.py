"""The read side of the pages: every query returns values already redacted for its viewer.

Input: a viewer and what they ask for. Output: frozen values that hold nothing the viewer may not know.
"""
