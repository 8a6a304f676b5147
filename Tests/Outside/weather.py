#!/usr/bin/env python3
"""The providers of weather as one HTTPS server on loopback, which records each request.

It says on standard output "listening PORT", then a line of JSON for each request: its method, its target and its
headers. KMA knows no cell, MET Norway covers none, and Open-Meteo answers with three days around now.
"""

import argparse
import http.server
import json
import ssl
import sys
import time

NO_DATA = {"response": {"header": {"resultCode": "03", "resultMsg": "NO_DATA"}}}


def hours():
    """The hours of three days, a day of them past, in seconds."""
    first = int(time.time()) // 3600 * 3600 - 24 * 3600
    return [first + 3600 * number for number in range(72)]


def answer(path):
    """The status and the document for the path of a request."""
    if path == "/kma/getVilageFcst":
        return 200, NO_DATA
    if path == "/open-meteo/forecast":
        return 200, {"hourly": {"time": hours(), "weather_code": [0] * 72, "temperature_2m": [10] * 72}}
    if path == "/air/air-quality":
        return 200, {"hourly": {"time": hours(), "pm10": [20] * 72, "pm2_5": [10] * 72}}
    return 422, {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        headers = [[name, value] for name, value in self.headers.items()]
        # In one piece: each request has a thread of its own.
        record = json.dumps({"method": self.command, "target": self.path, "headers": headers})
        sys.stdout.write(record + "\n")
        sys.stdout.flush()
        status, document = answer(self.path.split("?")[0])
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "visitor=1")
        self.end_headers()
        self.wfile.write(body)

    do_CONNECT = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET

    def log_message(self, *words):
        """Nothing but the records is printed."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--certificate", required=True, help="a PEM file")
    parser.add_argument("--key", required=True, help="its key, a PEM file")
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate, options.key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print("listening", server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
