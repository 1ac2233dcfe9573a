"""Community: member directory, letters, blocking, reports, erasure and data export.

Input: requests of members. Output: lists, letters, files, and changed or erased rows.
"""
