import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Deadlines } from "../src/deadlines.ts";
import type { Face } from "../src/face.ts";
import type { Host } from "../src/host.ts";
import { Notices } from "../src/notices.ts";
import { ToolTable, snippet } from "../src/tools.ts";

interface Definition {
	name: string;
	description: string;
	execute(id: string, args: unknown, signal?: AbortSignal, update?: (partial: unknown) => void): Promise<{ content: { text: string }[]; details: unknown; isError?: boolean }>;
}

/** A Pi with a tool of its own, as far as tools go; the real ones are driven in the suite of the whole project. */
function bench(offers: () => Record<string, unknown>[], call: () => unknown = () => ({ content: [{ type: "text", text: "done" }] })) {
	const registered = new Map<string, Definition>([["read", {} as Definition]]);
	let active = ["read"];
	let registrations = 0;
	const pi = {
		getAllTools: () => [...registered.keys()].map((name) => ({ name })),
		getActiveTools: () => active,
		setActiveTools: (names: string[]) => {
			active = names;
		},
		registerTool: (tool: Definition) => {
			registrations++;
			if (!registered.has(tool.name)) active = [...active, tool.name];
			registered.set(tool.name, tool);
		},
	};
	const told: string[] = [];
	const host = {
		request: async (method: string) => (method === "tools" ? { tools: offers(), deadlines_ms: { prompt: 1 } } : call()),
	};
	const table = new ToolTable({
		pi: pi as unknown as ExtensionAPI,
		host: host as unknown as Host,
		face: () => ({ context: {}, where: () => ({}) }) as unknown as Face,
		deadlines: new Deadlines(),
		notices: Object.assign(new Notices(() => undefined), { say: (_level: string, text: string) => told.push(text) }),
		onTools: () => {},
	});
	return { table, registered, told, active: () => active, registrations: () => registrations };
}

const tool = (name: string, more = {}) => ({ name, provider: "p", tool: name, description: `${name}.`, schema: { type: "object" }, guidelines: [], ...more });

test("a withdrawn tool leaves the active set and comes back, one that a person switched off stays off", async () => {
	let offers = [tool("a"), tool("b")];
	const { table, active } = bench(() => offers);
	await table.sync();
	assert.deepEqual(active(), ["read", "a", "b"]);
	offers = [tool("b"), tool("a", { active: false })];
	await table.sync();
	assert.deepEqual(active(), ["read", "b"]);
	offers = [tool("a")];
	await table.sync();
	assert.deepEqual(active(), ["read", "a"]);
	active().splice(active().indexOf("a"), 1);
	await table.sync();
	assert.deepEqual(active(), ["read"], "nobody but the person switched it off");
});

test("a name that somebody else has is left alone, and said once", async () => {
	const { table, registered, told } = bench(() => [tool("read"), tool("a")]);
	await table.sync();
	await table.sync();
	assert.deepEqual(registered.get("read"), {});
	assert.equal(table.owns("read"), false);
	assert.equal(table.ownerOf("read"), null);
	assert.equal(told.length, 1);
});

test("only what changed is registered again", async () => {
	let description = "one";
	const { table, registrations } = bench(() => [tool("a", { description }), tool("b")]);
	await table.sync();
	await table.sync();
	assert.equal(registrations(), 2);
	description = "two";
	await table.sync();
	assert.equal(registrations(), 3);
});

test("tools that a result names are there before it is returned", async () => {
	let offers = [tool("search")];
	const made = bench(() => offers, () => {
		offers = [tool("search"), tool("found")];
		made.table.changed();
		return { content: [{ type: "text", text: "use found" }], details: { n: 1 } };
	});
	await made.table.sync();
	const result = await made.registered.get("search")?.execute("1", {});
	assert.equal(made.registered.has("found"), true);
	assert.deepEqual([result?.content[0]?.text, result?.details], ["use found", { n: 1 }]);
});

test("an error of a tool is one, on every Pi", async () => {
	const { table, registered } = bench(() => [tool("a")], () => ({ content: [{ type: "text", text: "no" }], is_error: true }));
	await table.sync();
	assert.equal((await registered.get("a")?.execute("7", {}))?.isError, true);
	assert.deepEqual([table.takeFailure("7"), table.takeFailure("7")], [true, false]);
});

test("a withdrawn tool that is called all the same says so", async () => {
	let offers = [tool("a")];
	const { table, registered } = bench(() => offers);
	await table.sync();
	offers = [];
	await table.sync();
	await assert.rejects(async () => registered.get("a")?.execute("1", {}), /no longer offered/);
});

test("a snippet is the first sentence", () => {
	assert.equal(snippet("Finds code.\nMore about v1.2 here."), "Finds code.");
	assert.equal(snippet("no stop"), "no stop");
	assert.equal(snippet("x".repeat(500)).length, 160);
});
