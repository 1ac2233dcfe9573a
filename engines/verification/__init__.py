"""Proofs of records: commitments, seals, hash chain, signatures, and a standalone checker.

Input is a record as text; output is a finding per claim: it holds, is open or is wrong. The rules are in
`docs/fairness.md`. Nothing here needs the service: `verify.pyz` is this package and the engines.
"""
