"""A TCP proxy that can be cut like a cable, and mended."""

import socket
import threading


class Proxy:
    """Passes connections on to a port; while it is cut it takes none and those that were there are gone."""

    def __init__(self, target_port):
        self.target_port = target_port
        self.is_cut = False
        self.pairs = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.cut()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def cut(self):
        """Ends every connection, and takes no new one."""
        with self.lock:
            self.is_cut = True
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                close(end)

    def mend(self):
        self.is_cut = False

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                close(client)
                continue
            server = socket.create_connection(("127.0.0.1", self.target_port))
            with self.lock:
                self.pairs.append((client, server))
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=pair, daemon=True).start()

    @staticmethod
    def _pass(source, sink):
        try:
            while data := source.recv(65_536):
                sink.sendall(data)
        except OSError:
            pass
        close(source)
        close(sink)


def close(end):
    """Closes a socket so that the other side learns of it at once."""
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()
