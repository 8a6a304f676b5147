"""A server that speaks the protocol in JSON with prepared answers, for tests of the page alone."""

import asyncio
import http
import json
import mimetypes
import pathlib
import threading

import websockets
from directory import lean
from fakeanswers import FakeAnswers
from fakecourses import FakeCourses
from fakevisits import FakeVisits
from harness import ROOT

PAGE = ROOT / "Clients" / "Web"
LEAFLET = pathlib.Path("/usr/share/javascript/leaflet")
# As the server sends it, without the named sockets: Chromium counts them as 'self'.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; manifest-src 'self'; img-src 'self' data: blob:; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class FakeServer(FakeCourses, FakeVisits, FakeAnswers):
    """Answers a browser on a free port; stops when the block ends. One user, one promise, one directory."""

    def __init__(self, places=0, leaflet=True, facts=None):
        super().__init__(places)
        self.facts = {"leaflet": leaflet, "accounts": "local", **(facts or {})}
        self.requests = []
        self.held = {}
        self.refused = {}
        self.connections = set()

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = self.on_loop(self.listen())
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, *_):
        self.on_loop(self.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def on_loop(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    async def listen(self):
        return await websockets.serve(self.talk, "127.0.0.1", 0, subprotocols=["promised.v1.json"], process_request=self.file)

    async def close(self):
        self.server.close()
        await self.server.wait_closed()

    # Files

    async def file(self, path, headers):
        if headers.get("Upgrade"):
            return None
        path = path.split("?")[0]
        name = "index.html" if path == "/" else path.removeprefix("/assets/")
        if name == "config.json":
            return self.answer_file(json.dumps(self.facts).encode(), "application/json")
        file = PAGE / name
        if name.startswith("leaflet/"):
            file = LEAFLET / name.removeprefix("leaflet/").replace("leaflet.esm.js", "leaflet.esm.min.js")
        if not file.is_file():
            return http.HTTPStatus.NOT_FOUND, [], b""
        kind = "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0]
        return self.answer_file(file.read_bytes(), kind)

    @staticmethod
    def answer_file(data, kind):
        return http.HTTPStatus.OK, [("Content-Type", kind), ("Content-Security-Policy", POLICY), ("Referrer-Policy", "no-referrer")], data

    # Frames

    async def talk(self, socket):
        self.connections.add(socket)
        try:
            async for text in socket:
                frame = json.loads(text)
                number = frame.pop("id", 0)
                (name, fields), = frame.items()
                self.requests.append((name, fields))
                if name in self.held:
                    self.held[name].append((socket, number, name, fields))
                else:
                    await self.reply(socket, number, name, fields)
        except websockets.ConnectionClosed:
            # A browser that leaves gives no reason.
            pass
        finally:
            self.connections.discard(socket)

    async def reply(self, socket, number, name, fields):
        answer = getattr(self, "on_" + name, None)
        refusal = self.refused.get(name) or (not answer and {"code": "request.invalid", "message": f"{name} is unknown"})
        content = {"error": refusal} if refusal else answer(fields)
        await socket.send(json.dumps(lean({"id": number, **content})))

    def push(self, event):
        """Sends an event to everybody."""
        async def send():
            for socket in list(self.connections):
                await socket.send(json.dumps({"event": lean(event)}))
        self.on_loop(send())

    def hold(self, name):
        """Leaves requests of a name unanswered until :meth:`release`."""
        self.held[name] = []

    def release(self, name, order=lambda waiting: waiting):
        """Answers the requests that were held, in an order."""
        async def send():
            for waiting in order(self.held.pop(name)):
                await self.reply(*waiting)
        self.on_loop(send())

    def cut(self):
        """Closes all connections."""
        async def close():
            for socket in list(self.connections):
                await socket.close(1001)
        self.on_loop(close())

    def refuse(self, name, **error):
        """Answers requests of a name by an error from now on; without one, as usual."""
        self.refused[name] = error

    def asked(self, name):
        """The fields of each request of a name so far."""
        return [fields for one, fields in self.requests if one == name]
