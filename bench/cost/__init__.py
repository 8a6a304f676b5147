"""Searches the dearest input of each request, and measures what it costs the server (scripts/bench cost)."""
