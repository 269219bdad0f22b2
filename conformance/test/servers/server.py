"""The protocol in plain Python, written from its text alone. Prints its base URL."""
import base64
import json
import secrets
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE = "/service"
LIFETIME = 45 * 60
USERS = {1: "correct horse", 20: "a:b:c", 300: "pässwörd ☃"}
NONCES = {}
TOKENS = {}
LOCK = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536

    def log_message(self, *_):
        pass

    def answer(self, status, document, extra=()):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/ld+json")
        host = self.headers.get("Host")
        self.send_header("Link", f'<http://{host}{BASE}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"')
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        for name, value in extra:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def challenge(self):
        nonce = str(uuid.uuid4())
        with LOCK:
            NONCES[nonce] = time.time()
        headers = [("WWW-Authenticate", 'Basic realm="Login required"'), ("X-Authentication", nonce)]
        self.answer(401, {"401": "Need credentials to authenticate"}, headers)

    def credentials(self):
        given = self.headers.get("Authorization", "")
        scheme, _, encoded = given.partition(" ")
        if scheme.lower() != "basic":
            return False
        try:
            name, colon, paraphrase = base64.b64decode(encoded, validate=True).decode("utf-8").partition(":")
        except ValueError:
            return False
        if not colon or not name.isascii() or not name.isdigit() or str(int(name)) != name:
            return False
        return USERS.get(int(name)) == paraphrase

    def token_is_valid(self):
        given = self.headers.get("X-Authorization")
        with LOCK:
            issued = TOKENS.get(given)
            if issued is None or time.time() - issued >= LIFETIME:
                return False
            return True

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length:
            self.rfile.read(length)
        path = self.path.split("?")[0]
        if self.token_is_valid():
            return self.serve(path)
        nonce = self.headers.get("X-Authentication")
        with LOCK:
            issued = NONCES.pop(nonce, None)
        if nonce is not None and issued is not None and time.time() - issued < 600 and self.credentials():
            token = secrets.token_hex(20)
            with LOCK:
                TOKENS[token] = time.time()
            return self.answer(200, {"200": "User token generated"}, [("X-Authorization", token)])
        return self.challenge()

    def serve(self, path):
        if path in (BASE + "/things", BASE + "/vocab"):
            return self.answer(200, {"@context": {"name": "http://schema.org/name"}, "@id": path, "name": path.rsplit("/", 1)[1]})
        return self.answer(404, {"404": "There is nothing here"})

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}{BASE}", flush=True)
    server.serve_forever()
