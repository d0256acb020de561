"""Programs that use the network, against servers on the loopback that only listed names lead to."""

import functools
import http.server
import shutil
import ssl
import subprocess
import threading

from harness import policy


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files, with a note of every request."""

    def log_message(self, *words):
        self.server.seen.append(self.path)


class Quiet(http.server.ThreadingHTTPServer):
    """Says nothing of clients that go away."""

    def handle_error(self, *_):
        pass


class Server:
    """A web server on a port of its own, while the block lasts. With a certificate it speaks TLS."""

    def __init__(self, directory, certificate=None):
        self.server = Quiet(("127.0.0.1", 0), functools.partial(Handler, directory=directory))
        self.server.seen = self.seen = []
        self.port = self.server.server_port
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def certificate(directory):
    """A new key and certificate in one file."""
    file = directory / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=a.test", "-addext", "subjectAltName=DNS:a.test", "-keyout", directory / "key", "-out", file],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    file.write_text(file.read_text() + (directory / "key").read_text())
    return file


NAMES = ["--resolve", "a.test=127.0.0.1", "--resolve", "other.test=127.0.0.1"]
OPTIONS = [*NAMES, "--allow-loopback"]


def curl(t):
    """Every way through the proxy, and every way that is none."""
    served = t.work()
    (served / "hello").write_text("hello from outside\n")
    block = policy(egress=["a.test"])
    secure = certificate(t.work())
    with Server(served) as plain, Server(served, secure) as tls:
        http_url, tls_url = f"http://a.test:{plain.port}/hello", f"https://a.test:{tls.port}/hello"

        def fetch(*words, options=OPTIONS, block=block):
            return t.run(block, ["curl", "-sS", "--fail-with-body", *words], options=options)

        t.works("http", fetch(http_url), "hello from outside")
        t.works("http in a tunnel", fetch("--proxytunnel", http_url), "hello from outside")
        t.works("https", fetch("-k", tls_url), "hello from outside")
        trusting = policy(egress=["a.test"], read=[secure])
        t.works("https, trusting the certificate", fetch("--cacert", secure, tls_url, block=trusting), "hello from outside")
        t.fails("https, not trusting it", fetch(tls_url))
        t.works("socks5h", fetch("-x", "socks5h://127.0.0.1:1080", http_url), "hello from outside")
        t.works("socks5h with https", fetch("-k", "-x", "socks5h://127.0.0.1:1080", tls_url), "hello from outside")
        t.works("two requests", fetch(http_url, http_url), "hello from outside\nhello from outside")
        out = t.work()
        t.works("into a file", fetch("-o", out / "file", http_url, block=policy(egress=["a.test"], write=[f"{out}/**"])))
        t.check("which is whole", (out / "file").read_text() == "hello from outside\n")
        t.fails("not into another", fetch("-o", out / "file", http_url))
        seen = len(plain.seen) + len(tls.seen)
        other = f"other.test:{plain.port}"
        t.fails("a refused name", fetch(f"http://{other}/hello"), ("net", "other.test"))
        t.fails("a refused name in a tunnel", fetch("-k", f"https://other.test:{tls.port}/hello"), ("net", "other.test"))
        t.fails("a refused name by socks", fetch("-x", "socks5h://127.0.0.1:1080", f"http://{other}/hello"), ("net", "other.test"))
        t.fails("a refused name without the proxy", fetch("--noproxy", "*", f"http://{other}/hello"), ("net", "other.test"))
        t.fails("an address", fetch(f"http://127.0.0.2:{plain.port}/hello"), ("net", "127.0.0.2"))
        t.fails("an address by socks", fetch("-x", "socks5://127.0.0.1:1080", f"http://127.0.0.2:{plain.port}/hello"), ("net", "127.0.0.2"))
        t.fails("the host's loopback", fetch("--noproxy", "*", f"http://127.0.0.1:{plain.port}/hello"))
        t.fails("an address in disguise", fetch(f"http://2130706433:{plain.port}/hello"))
        t.fails("another name in the header", fetch("--proxytunnel", "-H", f"Host: {other}", http_url), ("net", "other.test"))
        disguise = ["-k", "--connect-to", f"other.test:{tls.port}:a.test:{tls.port}", f"https://other.test:{tls.port}/hello"]
        t.fails("another name in the hello", fetch(*disguise), ("net", "other.test"))
        t.fails("a name that leads to the loopback", fetch(http_url, options=NAMES), ("net", "a.test"))
        t.fails("no network at all", fetch(http_url, block=policy()))
        t.check("the servers saw nothing of it", len(plain.seen) + len(tls.seen) == seen, plain.seen + tls.seen)
        if not shutil.which("wget"):
            return t.skip("wget is not installed")
        t.works("wget", t.run(block, ["wget", "-qO-", http_url], options=OPTIONS), "hello from outside")
        refused = ["wget", "-O-", "--tries=1", f"http://{other}/hello"]
        t.fails("wget, a refused name", t.run(block, refused, options=OPTIONS), ("net", "other.test"))


def node_network(t):
    """node knows of no proxy by itself: it asks for names, or is told."""
    served = t.work()
    (served / "hello").write_text("hello from outside\n")
    block = policy(egress=["a.test"])
    look = "require('dns').lookup(process.argv[1], (e, a) => { console.log(e ? e.code : a); process.exitCode = e ? 3 : 0 })"
    t.works("dns.lookup of a listed name", t.run(block, ["node", "-e", look, "a.test"], options=OPTIONS), "198.18.")
    ran = t.run(block, ["node", "-e", look, "other.test"], options=OPTIONS)
    t.fails("dns.lookup of another", ran, ("net", "other.test"))
    ask = "require('dns').resolve4(process.argv[1], (e, a) => { console.log(e ? e.code : a[0]); process.exitCode = e ? 3 : 0 })"
    t.works("dns.resolve of a listed name", t.run(block, ["node", "-e", ask, "a.test"], options=OPTIONS), "198.18.")
    with Server(served) as server:
        get = """
            const [name, port] = process.argv.slice(1);
            require('http').get({ host: '127.0.0.1', port: 3128, path: `http://${name}:${port}/hello` }, answer => {
              answer.pipe(process.stdout); process.exitCode = answer.statusCode === 200 ? 0 : 3 });
        """
        ran = t.run(block, ["node", "-e", get, "a.test", server.port], options=OPTIONS)
        t.works("http.get through the proxy", ran, "hello from outside")
        ran = t.run(block, ["node", "-e", get, "other.test", server.port], options=OPTIONS)
        t.fails("a refused name", ran, ("net", "other.test"))
        direct = f"fetch('http://127.0.0.1:{server.port}/hello').then(a => console.log(a.status))"
        t.fails("fetch of the host's loopback", t.run(block, ["node", "-e", direct], options=OPTIONS))
        t.check("the server saw one request", len(server.seen) == 1, server.seen)
    there = "fetch('http://other.test/').catch(e => { console.error(e.cause); process.exit(3) })"
    t.fails("fetch of a refused name", t.run(block, ["node", "-e", there], options=OPTIONS), ("net", "other.test"))


def python_network(t):
    """urllib uses the proxy, a plain socket the names."""
    served = t.work()
    (served / "hello").write_text("hello from outside\n")
    block = policy(egress=["a.test"])
    get = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read())"
    with Server(served) as server:
        ran = t.run(block, ["python3", "-c", get, f"http://a.test:{server.port}/hello"], options=OPTIONS)
        t.works("urllib", ran, "hello from outside")
        ran = t.run(block, ["python3", "-c", get, f"http://other.test:{server.port}/hello"], options=OPTIONS)
        t.fails("urllib, a refused name", ran, ("net", "other.test"))
    look = "import socket; print(socket.getaddrinfo('a.test', 443)[0][4])"
    t.works("getaddrinfo", t.run(block, ["python3", "-c", look], options=OPTIONS), "198.18.")
    local = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); print('listens')"
    t.fails("listens nowhere", t.run(block, ["python3", "-c", local], options=OPTIONS))
    for kind in ["AF_UNIX", "AF_PACKET", "AF_VSOCK"]:
        opens = f"import socket; socket.socket(socket.{kind}, socket.SOCK_STREAM)"
        t.fails(f"no {kind}", t.run(block, ["python3", "-c", opens]))
    pair = "import socket; a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9))"
    t.works("socketpair", t.run(policy(), ["python3", "-c", pair]), "pair")


def ssh(t):
    """ssh asks for a name first, and learns at once that there is none."""
    ran = t.run(policy(), ["ssh", "-V"])
    t.check("-V", ran.exit == 0 and "OpenSSH" in ran.stderr, ran)
    block = policy(egress=["a.test"])
    words = ["ssh", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no"]
    ran = t.run(block, [*words, "other.test", "true"], options=[*OPTIONS, "--timeout", "60s"])
    t.fails("a refused host", ran, ("net", "other.test"))
    t.check("fails by itself", ran.exit == 255 and "resolve" in ran.stderr, ran)
    ran = t.run(block, [*words, "192.0.2.1", "true"], options=[*OPTIONS, "--timeout", "60s"])
    t.check("an address", ran.exit == 255, ran)
    command = ["ssh", "-o", "BatchMode=yes", "-o", "ProxyCommand=touch made", "a.test"]
    ran = t.run(block, command, options=[*OPTIONS, "--timeout", "60s"])
    t.fails("a ProxyCommand is not started", ran, ("syscall", "fork"))


CASES = [curl, node_network, python_network, ssh]
