"""Conversations that clients of earlier versions had (scripts/torture recorded)."""
