"""The unit tests of the page's modules, run inside headless Chromium; no server of ours is needed for them."""

import functools
import http.server
import pathlib
import threading
import types
import unittest

from harness import ROOT, Browser

PAGE = ROOT / "Clients" / "Web"
UNIT = pathlib.Path(__file__).parent / "unit"


class Files(http.server.SimpleHTTPRequestHandler):
    """The page's files under /assets/ as the server has them, and the tests under /unit/."""

    extensions_map = {".js": "text/javascript", "": "application/octet-stream"}

    def translate_path(self, path):
        path = path.split("?")[0]
        folder = PAGE if path.startswith("/assets/") else UNIT
        return str(folder.joinpath(*path.split("/")[2:]))

    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        return self.wfile.write(b'<!DOCTYPE html><title>tests</title><link rel="icon" href="data:,">')

    def log_message(self, *_):
        pass


class ModuleTests(unittest.TestCase):
    def test_modules(self):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files) as files:
            threading.Thread(target=files.serve_forever, daemon=True).start()
            server = types.SimpleNamespace(url=f"http://127.0.0.1:{files.server_port}")
            with Browser(server) as browser:
                browser.open()
                browser.driver.set_script_timeout(60)
                names = sorted(path.name for path in UNIT.glob("*.test.js"))
                lines = browser.driver.execute_async_script("""
                    const done = arguments[1];
                    Promise.all(arguments[0].map((name) => import('/unit/' + name)))
                        .then(() => import('/unit/harness.js'))
                        .then(({ run }) => run())
                        .then(done, (error) => done(['not ok ' + error]));
                """, names)
            files.shutdown()
        for line in lines:
            with self.subTest(line.splitlines()[0]):
                self.assertTrue(line.startswith("ok "), line)
        self.assertGreater(len(lines), 40)
        print(f"{len(lines)} tests of modules")


if __name__ == "__main__":
    unittest.main()
