"""Mail parsing: text without quotations, author, and recognition of bounces and automatic mail. Pure.

In come the bytes of a message; out go its text, its author, and the kind of message.
"""
