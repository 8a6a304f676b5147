"""Cases of RFC 6455 and RFC 9112, and servers that break them (scripts/torture conformance)."""
