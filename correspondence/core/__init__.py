"""Foundation: settings, database, tokens, languages, time controls, rate limits and caches.

Input: settings and plain values. Output: connections, tokens, sentences and limits. This package imports no other
package of the service.
"""
