"""Mail as values: raw messages read, cleaned of quotations, and recognised as bounces or machine mail. Pure.

In come the bytes of a message; out go its words, its author, and what kind of message it is.
"""
