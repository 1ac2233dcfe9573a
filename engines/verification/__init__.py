"""Proof of records: commitments, seals, the chain of hashes, signatures, and the checker that reads a record alone.

A record comes in as text; findings go out, a sentence for each claim that holds, is open or is wrong. The rules are in
`docs/fairness.md`. Nothing here needs the service: `verify.pyz` is this package and the engines.
"""
