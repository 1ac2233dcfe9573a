"""Verify records: commitments, seals, hash chain, signatures, and a standalone checker.

Input is a record as text; output is a finding per claim: it holds, cannot be checked yet, or is wrong. The rules are in
`docs/fairness.md`. Nothing here needs the service: `verify.pyz` consists of this package and the engines.
"""
