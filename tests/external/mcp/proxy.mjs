// Stands before the server and adds what the suites cannot send: the bearer token.
//
// Everything else passes as it is, so that what the server says about a foreign Host or Origin reaches
// the suite. Only our own port in the Host is replaced by the server's, since the server wants it exact.
//
// Usage: node proxy.mjs SERVER_PORT_FILE TOKEN_FILE
// Prints its own port at once, and reads the other two when the first request comes: the server is told
// this port as an allowed origin, so it starts later.

import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";

const [portFile, tokenFile] = process.argv.slice(2);
const server = createServer((incoming, outgoing) => {
  const own = `:${server.address().port}`;
  const port = Number(readFileSync(portFile, "utf8"));
  const headers = { ...incoming.headers };
  if (headers.host?.endsWith(own)) {
    headers.host = headers.host.slice(0, -own.length) + `:${port}`;
  }
  headers.authorization = `Bearer ${readFileSync(tokenFile, "utf8").trim()}`;
  const { method, url: path } = incoming;
  const onward = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  // A client that hangs up is one to the server as well.
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
