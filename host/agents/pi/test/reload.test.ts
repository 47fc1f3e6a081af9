import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const folder = mkdtempSync(join(tmpdir(), "ctxhost-pi-"));
const awake = setInterval(() => {}, 1000);
const saved = { CTXHOST_BIN: process.env.CTXHOST_BIN, PI_CODING_AGENT_DIR: process.env.PI_CODING_AGENT_DIR };
after(() => {
	clearInterval(awake);
	for (const [name, value] of Object.entries(saved)) {
		if (value === undefined) delete process.env[name];
		else process.env[name] = value;
	}
	rmSync(folder, { recursive: true, force: true });
});

const HELLO = `{"jsonrpc":"2.0","id":1,"result":{"v":1,"host":{"name":"ctxhost","version":"7"},"providers":[],"findings":[]}}`;

/** A host in shell, which writes down that it was started, and lists no tools. */
const host = join(folder, "host");
writeFileSync(
	host,
	`#!/bin/sh
echo $$ >> '${join(folder, "started")}'
read line; echo '${HELLO}'
while read line; do case "$line" in *'"id":3,'*) echo '{"jsonrpc":"2.0","id":3,"result":{"tools":[]}}';; esac; done
`,
);
chmodSync(host, 0o755);
process.env.CTXHOST_BIN = host;
process.env.PI_CODING_AGENT_DIR = folder;

const started = (): number[] => readFileSync(join(folder, "started"), "utf8").trim().split("\n").map(Number);

function living(): number[] {
	return started().filter((pid) => {
		try {
			process.kill(pid, 0);
			return true;
		} catch {
			return false;
		}
	});
}

async function until(condition: () => boolean): Promise<void> {
	const end = Date.now() + 4000;
	while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
	assert.ok(condition(), "it did not happen in time");
}

type Handler = (event: unknown, ctx: unknown) => unknown;

let copies = 0;

/** The extension as a reload loads it, each time a copy of all modules; and a Pi, as far as a session's life goes. */
async function load() {
	const copy = join(folder, `copy-${++copies}`);
	cpSync(join(dirname(dirname(fileURLToPath(import.meta.url))), "src"), copy, { recursive: true });
	const { default: extension } = (await import(join(copy, "index.ts"))) as { default: (pi: ExtensionAPI) => void };
	const handlers = new Map<string, Handler>();
	let stale = false;
	const active = <T>(value: T) => () => {
		if (stale) throw new Error("this extension is stale");
		return value;
	};
	const pi = {
		on: (event: string, handler: Handler) => handlers.set(event, handler),
		registerCommand: () => {},
		registerMessageRenderer: () => {},
		setActiveTools: () => {},
		getActiveTools: active([]),
		getAllTools: active([]),
		getCommands: active([]),
	};
	extension(pi as unknown as ExtensionAPI);
	const ctx = { cwd: folder, hasUI: false, model: undefined, getContextUsage: () => undefined, sessionManager: { getSessionId: () => "s", getBranch: () => [] } };
	return {
		start: (reason: string) => handlers.get("session_start")?.({ reason }, ctx),
		shutdown: (reason: string) => handlers.get("session_shutdown")?.({ reason }, ctx),
		replace: () => {
			stale = true;
		},
	};
}

test("a reload ends the host of the old instance and starts another one", async () => {
	const listeners = process.listenerCount("exit");
	const first = await load();
	await first.start("startup");
	assert.deepEqual(living(), started());
	assert.equal(started().length, 1);
	let last = first;
	for (let times = 1; times <= 2; times++) {
		await last.shutdown("reload");
		last.replace();
		last = await load();
		await last.start("reload");
		assert.equal(started().length, 1 + times);
		await until(() => living().length === 1);
		assert.deepEqual(living(), started().slice(-1), "the newest is the one that lives");
	}
	assert.ok(process.listenerCount("exit") <= listeners + 1, "one listener, however many copies");
	// An older Pi announces some sessions twice.
	await last.start("reload");
	assert.equal(started().length, 3);
	await last.shutdown("quit");
	await until(() => living().length === 0);
});

test("an instance that was replaced without a word loses its host to the next one", async () => {
	const before = started().length;
	const first = await load();
	await first.start("startup");
	first.replace();
	const second = await load();
	await second.start("reload");
	assert.equal(started().length, before + 2);
	await until(() => living().length === 1);
	assert.deepEqual(living(), started().slice(-1));
	await second.shutdown("quit");
	await until(() => living().length === 0);
});

test("an instance that is still in use keeps its host", async () => {
	const [first, second] = [await load(), await load()];
	await first.start("startup");
	await second.start("startup");
	await new Promise((resolve) => setTimeout(resolve, 100));
	assert.deepEqual(living(), started().slice(-2));
	await first.shutdown("quit");
	await second.shutdown("quit");
	await until(() => living().length === 0);
});
