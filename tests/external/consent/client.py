"""Clients of MCP: over the standard streams of `argrail serve`, and over HTTP."""

import json
import queue
import re
import subprocess
import threading
import urllib.request

from harness import WATCHDOG, Answer

QUESTION = re.compile(r"waiting for a person: argrail approve '([^']+)'")


def introduction(name):
    """What a client says first."""
    about = {"name": name, "version": "0"}
    return {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}


def tool_call(command, token):
    """A call of the tool `cli` that wants to hear how far it is."""
    return {"name": "cli", "arguments": {"command": command}, "_meta": {"progressToken": token}}


def envelope(result):
    """What a result says; a large one stands in the text alone."""
    return result.get("structuredContent") or json.loads(result["content"][0]["text"])


class Client:
    """A client over the standard streams, which may have many calls under way."""

    def __init__(self, place, *flags, name="suite", **more):
        self.place = place
        self.child = place.start("serve", *flags, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, **more)
        self.last = 0
        self.lock = threading.Lock()
        self.waiting = {}
        threading.Thread(target=self.listen, daemon=True).start()
        self.take(self.send("initialize", introduction(name)))
        self.post({"method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        try:
            self.child.wait(timeout=WATCHDOG)
        except subprocess.TimeoutExpired:
            self.child.kill()
            raise

    def listen(self):
        """Hands on what the server says to whoever waits for it."""
        for line in self.child.stdout:
            message = json.loads(line)
            if message.get("method") == "notifications/progress":
                number = message["params"]["progressToken"]
            else:
                number = message.get("id")
            with self.lock:
                inbox = self.waiting.get(number)
            if inbox is not None:
                inbox.put(message)
        with self.lock:
            for inbox in self.waiting.values():
                inbox.put(None)

    def post(self, message):
        """Writes one message."""
        with self.lock:
            self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self.child.stdin.flush()

    def send(self, method, params):
        """Asks, and returns the number of the request."""
        with self.lock:
            self.last += 1
            number = self.last
            self.waiting[number] = queue.Queue()
        if "_meta" in params:
            params["_meta"]["progressToken"] = number
        self.post({"id": number, "method": method, "params": params})
        return number

    def take(self, number, method=None):
        """Waits for the result of a request, or for a notification of that method about it."""
        while True:
            message = self.waiting[number].get(timeout=WATCHDOG)
            if message is None:
                raise ConnectionError("the server is gone")
            if "result" in message and method is None:
                return message["result"]
            if "error" in message:
                raise RuntimeError(message["error"])
            if method is not None and message.get("method") == method:
                return message["params"]

    def start(self, command):
        """Starts a call, and returns its number."""
        return self.send("tools/call", tool_call(command, None))

    def question(self, number):
        """Waits until a call waits for a person, and returns the question's name."""
        while True:
            told = self.take(number, "notifications/progress").get("message", "")
            found = QUESTION.fullmatch(told)
            if found:
                return found[1]

    def answer(self, number):
        """Waits for what a call is answered with."""
        return Answer(envelope(self.take(number)))

    def call(self, command):
        """What a call is answered with."""
        return self.answer(self.start(command))


class HttpClient:
    """A client of `argrail serve --http`."""

    def __init__(self, place, *flags):
        self.secret = place.root / "http-token"
        words = ("serve", "--http", "127.0.0.1:0", "--token-file", self.secret, *flags)
        self.child = place.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.url = None
        self.session = None
        while self.url is None:
            line = self.child.stderr.readline().decode()
            if not line:
                raise ConnectionError("the server does not listen")
            found = re.search(r"listening on (http://\S+)", line)
            self.url = found and found[1]
        # It may say more, and must not wait for us to read it.
        threading.Thread(target=self.child.stderr.read, daemon=True).start()
        self.request({"id": 1, "method": "initialize", "params": introduction("suite over http")})
        self.request({"method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.terminate()
        self.child.wait(timeout=WATCHDOG)

    def request(self, message):
        """Posts a message, and returns what comes back, message by message."""
        headers = {
            "Authorization": f"Bearer {self.secret.read_text().strip()}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
        }
        if self.session:
            headers["Mcp-Session-Id"] = self.session
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url, body, headers), timeout=WATCHDOG) as reply:
            self.session = reply.headers.get("Mcp-Session-Id") or self.session
            text = reply.read().decode()
        if reply.headers.get_content_type() == "text/event-stream":
            return [json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]
        return [json.loads(text)] if text else []

    def call(self, command):
        """What a call is answered with, and what was told meanwhile."""
        got = self.request({"id": 2, "method": "tools/call", "params": tool_call(command, "t")})
        told = [message["params"].get("message", "") for message in got if message.get("method") == "notifications/progress"]
        result = next(message["result"] for message in got if message.get("id") == 2)
        return Answer(envelope(result)), told
