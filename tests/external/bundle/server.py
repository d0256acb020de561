"""A server of files on the loopback, and archives to serve: good ones and hostile ones."""

import hashlib
import io
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# How much is sent at once.
PART = 16384


class Packed(bytes):
    """An archive that knows its hash."""

    @property
    def sha256(self):
        """Its SHA-256."""
        return hashlib.sha256(self).hexdigest()


def tarball(files, compression="gz", change=None):
    """An archive of files: name to (text, mode). `change` may do anything to each entry."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compression}") as archive:
        for name, (text, mode) in files.items():
            data = text if isinstance(text, bytes) else text.encode()
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.mode = mode
            if change is not None:
                change(entry)
            archive.addfile(entry, io.BytesIO(data if entry.isreg() else b""))
    return Packed(out.getvalue())


def zipped(files):
    """A zip of files: name to text."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o755 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return Packed(out.getvalue())


class Server:
    """Serves files; tells how often one was sent whole, and which ranges were asked for."""

    def __init__(self, files, pause=None):
        self.files = files
        self.pause = pause
        self.whole = 0
        self.ranges = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.answer(self)

            def log_message(self, *_):
                """Says nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    def url(self, path):
        """The address of a file."""
        return f"http://127.0.0.1:{self.http.server_address[1]}{path}"

    def answer(self, handler):
        """Sends a file, or the part of it that is wanted."""
        body = self.files.get(handler.path)
        if body is None:
            handler.send_error(404)
            return
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        start = 0
        wanted = handler.headers.get("Range", "")
        if wanted.startswith("bytes=") and handler.headers.get("If-Range", tag) == tag:
            self.ranges.append(wanted)
            start = int(wanted[6:].split("-")[0])
        handler.send_response(206 if start else 200)
        handler.send_header("ETag", tag)
        handler.send_header("Accept-Ranges", "bytes")
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        handler.send_header("Content-Length", str(len(body) - start))
        handler.end_headers()
        try:
            for at in range(start, len(body), PART):
                handler.wfile.write(body[at : at + PART])
                pause = self.pause
                if pause is not None:
                    pause(at)
            self.whole += 1
        except OSError:
            handler.close_connection = True
