import assert from "node:assert/strict";
import { test } from "node:test";
import { readCommandReply, readOutcome, readToolReply, readTools } from "../src/wire.ts";

test("an outcome of the contract", () => {
	const outcome = readOutcome({
		v: 1,
		injection: {
			text: "t",
			tokens: 3,
			sections: [
				{ provider: "p", key: "k", id: "i", person: { quote: "q", entry: { type: "e", data: 1 } } },
				{ provider: "p", key: "k", id: "j", person: null },
			],
			dropped: [],
		},
		call: null,
		decision: { block: true, reason: "r", provider: "p" },
		messages: { keep: [1, 0, -1, "2"], insert: [{ before: 0, text: "x", sections: [] }, { before: -1, text: "y" }] },
		result_patch: { content: null, details: { a: 1 }, is_error: null },
		mcp_servers: [{ provider: "p", name: "s", command: "/c", args: ["a"], timeout_s: 5, ready: { tool_prefix: "mcp__s__", wait_ms: 9 } }, { provider: "p", name: "w", withdraw: true }, { name: "none" }],
		status: { p: { text: "F", detail: "d" }, q: null },
		findings: [{ code: "c", message: "m" }, { code: "c" }],
	});
	assert.deepEqual(outcome.injection?.sections, [{ provider: "p", key: "k", id: "i", quote: "q", entry: { type: "e", data: 1 } }, { provider: "p", key: "k", id: "j" }]);
	assert.deepEqual(outcome.decision, { block: true, reason: "r" });
	assert.deepEqual(outcome.messages, { keep: [1, 0], insert: [{ before: 0, text: "x", sections: [] }] });
	assert.deepEqual(outcome.resultPatch, { details: { a: 1 } });
	assert.deepEqual(outcome.mcpServers.map(({ name, withdraw, ready }) => [name, withdraw, ready?.waitMs]), [["s", false, 9], ["w", true, undefined]]);
	assert.deepEqual([...outcome.status], [["p", { text: "F", detail: "d" }]]);
	assert.deepEqual(outcome.findings.map(({ level, message }) => [level, message]), [["warning", "m"]]);
});

test("nonsense says nothing and throws nothing", () => {
	for (const nonsense of [undefined, null, 1, "x", [], { injection: 1, call: [], decision: "no", messages: 2, result_patch: [], mcp_servers: {}, status: [], findings: 3 }]) {
		const outcome = readOutcome(nonsense);
		assert.deepEqual([outcome.injection, outcome.call, outcome.decision, outcome.messages, outcome.resultPatch], [undefined, undefined, undefined, undefined, undefined]);
		assert.deepEqual([outcome.mcpServers.length, outcome.status.size, outcome.findings.length], [0, 0, 0]);
		assert.deepEqual(readTools(nonsense).tools, []);
		assert.deepEqual(readCommandReply(nonsense), { text: "", exit: 0, choices: [] });
		assert.deepEqual(readToolReply(nonsense).content, []);
	}
	assert.equal(readOutcome({ injection: { text: "", sections: [] } }).injection, undefined);
});

test("tools, commands and limits", () => {
	const { tools, commands, deadlines } = readTools({
		tools: [{ name: "a", provider: "p", active: false }, { provider: "nameless" }],
		commands: [{ provider: "p", name: "c", slash: "/ide", summary: "s" }, { provider: "p", name: "d" }],
		deadlines_ms: { prompt: 300, bad: "x" },
	});
	assert.deepEqual(tools.map(({ name, active, tool }) => [name, active, tool]), [["a", false, "a"]]);
	assert.deepEqual(commands.map(({ slash }) => slash), ["ide", undefined]);
	assert.deepEqual([...deadlines], [["prompt", 300]]);
});
