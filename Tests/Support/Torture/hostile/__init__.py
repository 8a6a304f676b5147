"""Attacks on a server from within its limits, beside ordinary clients (scripts/torture hostile)."""
