"""When time runs out: deadlines, calendars, absences and outages.

In come time controls, calendars and moves; out go deadlines, reminders and the time used.
"""
