"""An echo server on Python's websockets, with promised's paths, subprotocols and limits."""

import asyncio
import http

import websockets

SUBPROTOCOLS = ["promised.v1.json", "promised.v1.protobuf"]


async def echo(connection):
    try:
        async for message in connection:
            await connection.send(message)
    except websockets.ConnectionClosed:
        pass


async def answer(path, _headers):
    """Plain HTTP on the other paths."""
    if path.split("?")[0] == "/ws":
        return None
    if path == "/healthz":
        return http.HTTPStatus.OK, [], b"alive\n"
    return http.HTTPStatus.NOT_FOUND, [], b"not found\n"


async def main():
    settings = {"subprotocols": SUBPROTOCOLS, "process_request": answer, "max_size": 65_536, "compression": None,
                "ping_interval": None, "close_timeout": 3}
    async with websockets.serve(echo, "127.0.0.1", 0, **settings) as server:
        print(f"listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await asyncio.Future()


asyncio.run(main())
