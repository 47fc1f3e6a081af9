import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExtensionContext, ToolCallEvent, ToolResultEvent } from "@earendil-works/pi-coding-agent";
import type { Face } from "../src/face.ts";
import { Guard, detailsOf, kindOf, pathsOf, patched } from "../src/guard.ts";
import type { ToolTable } from "../src/tools.ts";

test("Pi's tools become kinds", () => {
	const kinds = ["read", "bash", "edit", "write", "grep", "find", "ls", "powershell", "mcp__x__read", "constructor"].map((name) => kindOf(name, false));
	assert.deepEqual(kinds, ["read", "run", "edit", "write", "search", "search", "list", "run", "other", "other"]);
	assert.equal(kindOf("read", true), "other", "a provider's tool is not Pi's, whatever its name");
});

test("paths are absolute", () => {
	assert.deepEqual(pathsOf("read", { path: "a/../b.rs" }, "/project"), ["/project/b.rs"]);
	assert.deepEqual(pathsOf("edit", { path: "@src/a.rs" }, "/project"), ["/project/src/a.rs"]);
	assert.deepEqual(pathsOf("write", { path: "/x" }, "/project"), ["/x"]);
	assert.deepEqual(pathsOf("list", { path: "~/x" }, "/project", "/home/u"), ["/home/u/x"]);
	assert.deepEqual(pathsOf("search", { pattern: "x" }, "/project"), []);
	assert.deepEqual(pathsOf("run", { command: "cat /x", path: "/x" }, "/project"), []);
	assert.deepEqual(pathsOf("read", null, "/project"), []);
});

test("a patch adds to details, replaces content, and guidance comes last", () => {
	const event = { content: [{ type: "text", text: "result" }], details: { diff: "d" }, isError: false };
	assert.equal(patched(event, undefined, undefined, false), undefined);
	assert.deepEqual(patched(event, { details: { more: 1 } }, undefined, false), { details: { diff: "d", more: 1 } });
	assert.deepEqual(patched({ ...event, details: undefined }, { details: { more: 1 } }, undefined, false), { details: { more: 1 } });
	assert.deepEqual(patched(event, { content: [{ type: "text", text: "new" }] }, "hint", false), { content: [{ type: "text", text: "new" }, { type: "text", text: "hint" }] });
	assert.deepEqual(patched(event, undefined, "hint", false), { content: [{ type: "text", text: "result" }, { type: "text", text: "hint" }] });
	assert.deepEqual(patched(event, undefined, undefined, true), { isError: true });
	assert.deepEqual(patched(event, { isError: false }, undefined, true), { isError: false });
});

test("the diff of an edit goes with its result, and no other tool's details", async () => {
	const diff = { diff: "+1 x", firstChangedLine: 1 };
	assert.deepEqual([detailsOf("edit", diff), detailsOf("edit", undefined), detailsOf("edit", ["x"]), detailsOf("run", diff)], [diff, null, null, null]);
	const told: unknown[] = [];
	const face = { wants: () => true, ask: async (_event: string, data: { details: unknown }) => void told.push(data.details) } as unknown as Face;
	const tools = { ownerOf: () => null, takeFailure: () => false } as unknown as ToolTable;
	const event = { type: "tool_result", toolCallId: "1", toolName: "edit", input: { path: "a" }, content: [], details: diff, isError: false };
	const context = { cwd: "/project", sessionManager: { getBranch: () => [] } } as unknown as ExtensionContext;
	await new Guard(() => face, tools).after(event as unknown as ToolResultEvent, context);
	assert.deepEqual(told, [diff]);
});

test("whatever goes wrong inside, a tool call is never blocked by it", async () => {
	const broken = () => {
		throw new Error("broken");
	};
	const face = { wants: () => true, ask: broken } as unknown as Face;
	const tools = { ownerOf: () => null, takeFailure: () => false } as unknown as ToolTable;
	const event = { type: "tool_call", toolCallId: "1", toolName: "bash", input: { command: "ls" } } as ToolCallEvent;
	const context = { cwd: "/project", sessionManager: { getBranch: broken } } as unknown as ExtensionContext;
	assert.equal(await new Guard(() => face, tools).before(event, context), undefined);
	assert.equal(await new Guard(broken, tools).before(event, context), undefined);
});
