import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Failure, type Greeting, Host } from "../src/host.ts";
import { readUserSettings } from "../src/binary.ts";

const folder = mkdtempSync(join(tmpdir(), "ctxhost-pi-"));
// A host's process and pipes do not keep this process running, which is the point of them; here something has to.
const awake = setInterval(() => {}, 1000);
after(() => {
	clearInterval(awake);
	rmSync(folder, { recursive: true, force: true });
});

const HELLO = `{"jsonrpc":"2.0","id":1,"result":{"v":1,"host":{"name":"ctxhost","version":"7"},"providers":[],"findings":[]}}`;

/** A host in shell: greets, then does `body`. */
function program(name: string, body: string): string {
	const path = join(folder, name);
	writeFileSync(path, `#!/bin/sh\n${body}\n`);
	chmodSync(path, 0o755);
	return path;
}

function host(binary: string, env: NodeJS.ProcessEnv = { PATH: process.env.PATH, CTXHOST_BIN: binary }) {
	const failures: [Failure, string][] = [];
	const ready: [Greeting, boolean][] = [];
	const made = new Host({
		env,
		settings: () => readUserSettings(folder),
		agent: () => ({}),
		onReady: (greeting, restarted) => ready.push([greeting, restarted]),
		onFailure: (failure, reason) => failures.push([failure, reason]),
		onNotification: () => {},
		restartEveryMs: 300,
		helloMs: 250,
	});
	return { host: made, failures, ready };
}

async function until(condition: () => boolean, ms = 4000): Promise<void> {
	const end = Date.now() + ms;
	while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
	assert.ok(condition(), "it did not happen in time");
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

test("greets, and ends with its input", async () => {
	const { host: one, ready } = host(program("good", `read line; echo '${HELLO}'; while read line; do :; done`));
	await one.start();
	assert.equal(ready[0]?.[0].version, "7");
	const { pid } = one;
	assert.ok(pid);
	await one.stop(2000);
	assert.equal(isAlive(pid), false);
	assert.equal(one.greeting, undefined);
});

test("a host that ignores the end of its input and SIGTERM is killed within about a second", async () => {
	const { host: one } = host(program("clingy", `trap '' TERM; read line; echo '${HELLO}'; while :; do read line || sleep 0.05; done`));
	await one.start();
	const { pid } = one;
	assert.ok(pid);
	const before = Date.now();
	await one.stop(0);
	assert.ok(Date.now() - before < 100, "nobody is held up");
	await until(() => !isAlive(pid), 1600);
});

test("each way to fail has its name", async () => {
	for (const [name, body, expected] of [
		["gone", "echo last words >&2; exit 3", "start"],
		["deaf", "while read line; do :; done", "hung"],
		["other", `read line; echo '{"jsonrpc":"2.0","id":1,"result":{"v":2}}'; read line`, "version"],
		["refuses", `read line; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"v 1 only"}}'; read line`, "version"],
	] as const) {
		const { host: one, failures } = host(program(name, body));
		await one.start();
		await until(() => failures.length > 0);
		await one.stop(0);
		assert.equal(failures[0]?.[0], expected, name);
		if (name === "gone") assert.match(failures[0]?.[1] ?? "", /with 3: last words/);
	}
	const orphan = program("orphan", "");
	writeFileSync(orphan, "#!/nowhere/sh\n");
	const unstarted = host(orphan);
	await unstarted.host.start();
	await until(() => unstarted.failures.length > 0);
	await unstarted.host.stop(0);
	assert.equal(unstarted.failures[0]?.[0], "start");
	assert.match(unstarted.failures[0]?.[1] ?? "", /could not be started/);
	const { host: one, failures } = host("/nowhere/ctxhost");
	await one.start();
	assert.equal(failures[0]?.[0], "missing");
});

test("a start that the system refuses is told and tried again, and throws nowhere", async () => {
	// No system takes an environment of this size, and Node throws what that comes to.
	const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, CTXHOST_BIN: program("fine", `read line; echo '${HELLO}'; read line`), MUCH: "x".repeat(4_000_000) };
	const { host: one, failures, ready } = host("", env);
	await one.start();
	assert.deepEqual(failures.map(([failure]) => failure), ["start"]);
	assert.match(failures[0]?.[1] ?? "", /could not be started/);
	delete env.MUCH;
	await until(() => ready.length === 1);
	await one.stop(2000);
});

test("a crash rejects what is in flight and leads to one later restart", async () => {
	const { host: one, failures, ready } = host(program("good2", `read line; echo '${HELLO}'; while read line; do :; done`));
	await one.start();
	const asked = one.request("tools", {});
	const { pid } = one;
	assert.ok(pid);
	process.kill(pid, "SIGKILL");
	await assert.rejects(asked, /ended by SIGKILL/);
	await assert.rejects(one.request("tools", {}), /not running/);
	assert.equal(failures[0]?.[0], "crash");
	await until(() => ready.length === 2);
	assert.equal(ready[1]?.[1], true);
	await one.stop(2000);
});

test("a host that stops answering is told apart from a slow one and replaced", async () => {
	const slow = host(program("slow", `read line; echo '${HELLO}'; while read line; do case "$line" in *'"id":3'*) echo '{"jsonrpc":"2.0","id":3,"result":{}}';; esac; done`));
	await slow.host.start();
	await assert.rejects(slow.host.request("tools", {}, { timeoutMs: 30 }));
	await new Promise((resolve) => setTimeout(resolve, 100));
	assert.ok(slow.host.greeting, "the probe was answered");
	await slow.host.stop(2000);
	const hung = host(program("hung", `read line; echo '${HELLO}'; while read line; do :; done`));
	await hung.host.start();
	await assert.rejects(hung.host.request("tools", {}, { timeoutMs: 30 }));
	await until(() => hung.failures.some(([failure]) => failure === "hung"));
	await hung.host.stop(0);
});
