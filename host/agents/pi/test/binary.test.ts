import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { agentDirectory, findBinary, readUserSettings } from "../src/binary.ts";

const folder = mkdtempSync(join(tmpdir(), "ctxhost-pi-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, mode = 0o755): string {
	const path = join(folder, name);
	mkdirSync(join(path, ".."), { recursive: true });
	writeFileSync(path, "#!/bin/sh\n");
	chmodSync(path, mode);
	return path;
}

const none = readUserSettings(join(folder, "nowhere"));
const first = program("one/ctxhost");
const second = program("two/ctxhost");
const plain = program("plain/ctxhost", 0o644);

test("environment, then settings, then PATH", () => {
	const PATH = join(folder, "two");
	assert.deepEqual(findBinary({ CTXHOST_BIN: first, PATH }, { ...none, command: second }), { path: first });
	assert.deepEqual(findBinary({ PATH: "/nowhere" }, { ...none, command: second }), { path: second });
	assert.deepEqual(findBinary({ PATH }, none), { path: second });
});

test("relative folders on PATH and relative names are a project's and are refused", () => {
	const PATH = ["", ".", "two", join(folder, "plain"), join(folder, "one")].join(delimiter);
	assert.deepEqual(findBinary({ PATH }, none), { path: first });
	assert.match((findBinary({ CTXHOST_BIN: "./ctxhost" }, none) as { problem: string }).problem, /absolute path/);
	assert.match((findBinary({ CTXHOST_BIN: plain }, none) as { problem: string }).problem, /no program/);
	assert.match((findBinary({ PATH: "." }, none) as { problem: string }).problem, /no ctxhost program on PATH/);
});

test("a bare name is looked up, a tilde is the home folder", () => {
	assert.deepEqual(findBinary({ CTXHOST_BIN: "ctxhost", PATH: join(folder, "one") }, none), { path: first });
	assert.deepEqual(findBinary({ CTXHOST_BIN: "~/one/ctxhost" }, none, folder), { path: first });
});

test("the user's settings file, whole or broken", () => {
	const file = join(folder, "ctxhost.json");
	assert.equal(none.problem, undefined);
	writeFileSync(file, JSON.stringify({ command: first, footer: "off" }));
	assert.deepEqual(readUserSettings(folder), { command: first, footer: "off", problem: undefined });
	for (const broken of ["{", "[]"]) {
		writeFileSync(file, broken);
		assert.ok(readUserSettings(folder).problem);
		assert.equal(readUserSettings(folder).command, undefined);
	}
});

test("the agent's folder follows Pi's own rule", () => {
	assert.equal(agentDirectory({}, "/home/u"), "/home/u/.pi/agent");
	assert.equal(agentDirectory({ PI_CODING_AGENT_DIR: "~/x" }, "/home/u"), "/home/u/x");
});
