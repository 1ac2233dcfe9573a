"""Read side of the pages: every query returns values already redacted for its viewer.

Input: a viewer and a query. Output: frozen values without anything that the viewer may not know.
"""
