#!/usr/bin/env python3
"""One end of WebSocket connections in an implementation that is not ours, Python's websockets.

It says on standard output what happens, a line each: "listening PORT", "opened", "heard TEXT", "closed CODE"; each line
of its standard input is sent as a text message over all its connections.
"""

import argparse
import asyncio
import sys
import threading

import websockets

connections = set()


def tell(*words):
    print(*words, flush=True)


async def live(connection):
    """Tells what comes over a connection until it ends."""
    connections.add(connection)
    tell("opened")
    try:
        async for message in connection:
            tell("heard", message)
    except websockets.ConnectionClosedError:
        pass
    connections.discard(connection)
    tell("closed", connection.close_code)


def listen_to_input(loop):
    """Sends what it is told. At the end of the input nothing more is sent, and the connections stay."""
    async def say(line):
        for connection in list(connections):
            await connection.send(line)

    for line in sys.stdin:
        asyncio.run_coroutine_threadsafe(say(line.rstrip("\n")), loop)


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="connect there instead of listening")
    parser.add_argument("--subprotocol", help="what to ask for")
    parser.add_argument("--ping", type=float, default=20, help="seconds between pings of its own, 0 for none")
    parser.add_argument("--patience", type=float, default=20, help="seconds to wait for an answer to one")
    options = parser.parse_args()
    keepalive = {"ping_interval": options.ping or None, "ping_timeout": options.patience}
    threading.Thread(target=listen_to_input, args=[asyncio.get_running_loop()], daemon=True).start()
    if options.url:
        offered = [options.subprotocol] if options.subprotocol else None
        async with websockets.connect(options.url, subprotocols=offered, **keepalive) as connection:
            await live(connection)
    else:
        server = await websockets.serve(live, "127.0.0.1", 0, **keepalive)
        tell("listening", server.sockets[0].getsockname()[1])
        await server.wait_closed()


if __name__ == "__main__":
    asyncio.run(main())
