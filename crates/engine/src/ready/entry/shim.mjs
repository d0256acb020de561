// argrail's half of an entry adapter. Imports the module that is named on the command line, keeps what it gave to
// `defineCli`, reads one JSON request from standard input and writes one JSON answer to standard output.
import { register } from "node:module";
import { pathToFileURL } from "node:url";

const answer = process.stdout.write.bind(process.stdout);
// Whatever the module prints is no answer.
process.stdout.write = process.stderr.write.bind(process.stderr);

const file = process.argv.at(-1);
let definition;
globalThis.defineCli = (given) => {
  definition = given;
  return { id: given.id, name: given.name, version: given.version, definition: given };
};

// `import { defineCli } from "argrail"` finds the same function.
const own = "data:text/javascript," + encodeURIComponent("export const defineCli = globalThis.defineCli; export default { defineCli };");
const hooks = `export async function resolve(name, context, next) {
  return name === "argrail" ? { url: ${JSON.stringify(own)}, shortCircuit: true } : next(name, context);
}`;

function describe() {
  const { id, name, description, version, bin, install, versionCheck, sandbox, commands, tags } = definition;
  const adapters = ["login", "refresh", "parseOutput", "detectExpiry"].filter((key) => typeof definition[key] === "function");
  return { id, name, description, version, bin, install, versionCheck, sandbox, commands, tags, hooks: adapters };
}

async function respond() {
  const typed = /\.m?ts$/.test(file);
  const strip = "--experimental-strip-types";
  const told = process.execArgv.includes(strip);
  if (typed && !told && !process.features.typescript) {
    const can = process.allowedNodeEnvironmentFlags.has(strip);
    return can ? { again: "strip" } : { untyped: process.versions.node };
  }
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const part of process.stdin) text += part;
  const request = JSON.parse(text);
  register("data:text/javascript," + encodeURIComponent(hooks));
  const module = await import(pathToFileURL(file).href);
  definition ??= module.default?.definition ?? module.default;
  if (typeof definition !== "object" || definition === null) {
    return { error: { message: "the module gave nothing to defineCli" } };
  }
  if (request.call === "describe") return { result: describe() };
  const hook = definition[request.call];
  if (typeof hook !== "function") return { unsupported: true };
  return { result: await hook.call(definition, request.args) };
}

let told;
try {
  told = JSON.stringify(await respond());
} catch (error) {
  told = JSON.stringify({ error: { message: String(error?.message ?? error) } });
}
answer(told + "\n", () => process.exit(0));
