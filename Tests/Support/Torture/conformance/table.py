"""All cases of the table."""

from conformance import table_control, table_framing, table_handshake, table_http, table_messages, table_smuggling

# The families by the first part of an id, in the order of the report.
FAMILIES = {
    "1": "sizes of messages (Autobahn 1)", "2": "pings and pongs (Autobahn 2)", "3": "reserved bits (Autobahn 3)",
    "4": "reserved opcodes (Autobahn 4)", "5": "fragments (Autobahn 5)", "6": "UTF-8 (Autobahn 6)",
    "7": "close frames (Autobahn 7)", "9": "large and many messages (Autobahn 9)", "10": "many fragments (Autobahn 10)",
    "size": "more sizes", "limit": "limits before and after the sign-in", "length": "lengths of frames", "mask": "masks",
    "rsv": "each reserved bit with each opcode", "opcode": "each reserved opcode in each place", "ping": "more pings",
    "pong": "more pongs", "close": "more close frames", "fragment": "more fragments", "utf8": "characters cut in two",
    "version": "WebSocket versions", "key": "keys", "upgrade": "upgrades", "connection": "the Connection header",
    "target": "methods, versions and paths of upgrades", "subprotocol": "subprotocols", "origin": "origins",
    "extension": "extensions", "h2c": "HTTP/2 in clear text", "piece": "handshakes in pieces, keep-alive, then an upgrade",
    "http": "plain HTTP", "smuggle": "request smuggling", "time": "deadlines",
}


def all_cases():
    """Every case, in the order of the families.

    Raises ValueError if two have the same id, or one belongs to no family.
    """
    modules = [table_framing, table_control, table_messages, table_handshake, table_http,
               table_smuggling]
    found = [case for module in modules for case in module.cases()]
    order = list(FAMILIES)
    seen = set()
    for case in found:
        if case.id in seen or case.family not in FAMILIES:
            raise ValueError(f"the id {case.id} is used twice, or its family is unknown")
        seen.add(case.id)
    return sorted(found, key=lambda case: order.index(case.family))
