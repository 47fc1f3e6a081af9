// A whole client of serve/v1: `client.ts PROGRAM FOLDER TEXT` prints what ctxhost adds to a prompt.
import { spawn } from "node:child_process";
import { resolve } from "node:path";

const [program, folder, text] = process.argv.slice(2);
process.on("uncaughtException", (error) => fail(error.message));
if (text === undefined) fail("usage: PROGRAM FOLDER TEXT");
// Standard error is for people, so it goes where ours goes.
const host = spawn(program, ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map<number, (result: any) => void>();
let sent = 0, rest = "";

function fail(why: string): never {
  console.error(`client: ${why}`);
  process.exit(1); // That closes the pipe, which ends the host.
}

function ask(method: string, params: object): Promise<any> {
  host.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: ++sent, method, params }) + "\n");
  return new Promise((answered) => waiting.set(sent, answered));
}

host.stdout.setEncoding("utf8").on("data", (chunk: string) => {
  // Split by hand: node:readline splits at U+2028 too, which may stand in a text.
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines.filter(Boolean)) {
    const { id, result, error } = JSON.parse(line);
    if (error) fail(error.message);
    waiting.get(id)?.(result); // A notification has no id, and nobody waits for it here.
  }
});
host.on("close", (code: number) => (host.stdin.writableEnded && code === 0) || fail("the host failed"));
// A host that hangs costs half a minute: more than a prompt's longest deadline.
setTimeout(() => host.kill("SIGKILL"), 30_000).unref();

const session = { id: null, cwd: resolve(folder) }; // A single question has no id.
await ask("hello", { v: 1, agent: { name: "example", can: ["inject.prompt", "tools"] } });
const prompt = ask("event", { event: "prompt", session, data: { text } });
const tools = ask("tools", { session }); // Sent while the prompt is in flight.
process.stdout.write((await prompt).injection?.text ?? "");
console.error(`${(await tools).tools.length} tools are offered`);
host.stdin.end(); // That ends the host, and its end ends this.
