// A real client: the MCP inspector's command line against the real binary.
//
// Usage: node inspector.mjs ARGRAIL
// Prints a line per check and "N passed, N failed" at the end.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const inspector = join(here, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const argrail = process.argv[2];
const home = mkdtempSync(join(tmpdir(), "argrail-inspector-"));
const env = { PATH: "/usr/bin:/bin", HOME: home };

/** Runs the inspector and returns the JSON it prints. It exits with 5 when a tool says `isError`. */
async function inspect(era, args) {
  const words = [inspector, "--cli", argrail, "serve", "--protocol-era", era, ...args];
  const options = { env, timeout: 60_000, maxBuffer: 16 << 20 };
  const { stdout } = await promisify(execFile)(process.execPath, words, options).catch((error) => {
    if (error.code === 5) return error;
    throw new Error(`${error.message}\n${error.stderr}`);
  });
  return JSON.parse(stdout);
}

/** Calls `cli` and returns the envelope, which must be the same in both forms. */
async function call(era, args) {
  const words = ["--method", "tools/call", "--tool-name", "cli", "--tool-args-json", JSON.stringify(args)];
  const { content, structuredContent, isError } = await inspect(era, words);
  same("one block of text", content.map(({ type }) => type), ["text"]);
  same("the text is the envelope", JSON.parse(content[0].text), structuredContent);
  same("isError", isError, !structuredContent.success);
  return structuredContent;
}

function same(what, got, wanted) {
  const [one, other] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: got ${one}, wanted ${other}`);
}

async function refused(era, args, code) {
  const { success, error } = await call(era, args);
  same("success", success, false);
  same("code", error.code, code);
  if (!error.message || !error.hint) throw new Error(`no message or hint: ${JSON.stringify(error)}`);
}

const checks = {
  "tools/list shows the one tool": async (era) => {
    const { tools } = await inspect(era, ["--method", "tools/list"]);
    same("tools", tools.map(({ name }) => name), ["cli"]);
    same("required", tools[0].inputSchema.required, ["command"]);
  },
  "help succeeds": async (era) => same("success", (await call(era, { command: "help" })).success, true),
  "an unclosed quote": (era) => refused(era, { command: 'say "hello' }, "PARSE_ERROR"),
  "an unknown command": (era) => refused(era, { command: "no-such-command" }, "COMMAND_NOT_FOUND"),
  "10,001 characters": (era) => refused(era, { command: "x".repeat(10_001) }, "PARSE_ERROR"),
  "101 arguments": (era) => refused(era, { command: `help${" x".repeat(101)}` }, "PARSE_ERROR"),
  "a command that is a number": (era) => refused(era, { command: 7 }, "VALIDATION_ERROR"),
  "a command that is an object": (era) => refused(era, { command: { a: 1 } }, "VALIDATION_ERROR"),
  "no command": (era) => refused(era, {}, "VALIDATION_ERROR"),
};

let [passed, failed] = [0, 0];
for (const era of ["legacy", "modern"]) {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(era);
      passed += 1;
      console.log(`ok      ${era}: ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`NOT OK  ${era}: ${name}: ${error.message}`);
    }
  }
}
rmSync(home, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
