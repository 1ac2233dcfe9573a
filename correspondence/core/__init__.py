"""The foundation, free of any feature: settings, database, tokens, languages, time controls, rate limits and caches.

In come settings and plain values; out go connections, tokens, sentences and limits. It imports no other package of
the service.
"""
