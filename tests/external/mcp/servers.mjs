// A real server: the reference one of the MCP project, asked for its tools by our client in the sandbox.
//
// Usage: node servers.mjs MCP_TOOLS
// Prints a line per check and "N passed, N failed" at the end.

import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const everything = join(here, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const words = ["everything", process.execPath, everything, "stdio"];
const { stdout, stderr } = await promisify(execFile)(process.argv[2], words, { timeout: 60_000 });
const tool = JSON.parse(stdout);

function same(got, wanted) {
  const [one, other] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`got ${one}, wanted ${other}`);
}

const checks = {
  "the name is ours, theirs is kept": () => same([tool.name, tool["x-mcp-server"]], ["everything", "mcp-servers/everything"]),
  "nothing is odd about it": () => same(stderr, ""),
  "all tools are there": () => same([Object.keys(tool.commands).length > 10, tool.partial], [true, undefined]),
  "a tool is a command with options": () =>
    same(
      tool.commands["get-sum"].options.map(({ name, flags, type, required }) => ({ name, flags, type, required })),
      [
        { name: "a", flags: ["--a"], type: "number", required: true },
        { name: "b", flags: ["--b"], type: "number", required: true },
      ],
    ),
  "what it says that it only reads": () =>
    same(tool.commands.echo.effects, { filesystem: { write: false, delete: false }, idempotent: true, destructive: false }),
  "what it says that it changes": () =>
    same(tool.commands["toggle-simulated-logging"].effects.modifies, ["environment"]),
  "the schema of what it answers": () =>
    same(typeof tool.commands["get-structured-content"]["x-output-schema"], "object"),
};

let [passed, failed] = [0, 0];
for (const [name, check] of Object.entries(checks)) {
  try {
    check();
    passed += 1;
    console.log(`ok      server-everything: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`NOT OK  server-everything: ${name}: ${error.message}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
