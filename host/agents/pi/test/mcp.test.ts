import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Face } from "../src/face.ts";
import { McpServers } from "../src/mcp.ts";
import { Notices } from "../src/notices.ts";
import { type McpServer, readOutcome } from "../src/wire.ts";

/** A Pi that runs MCP servers, whose tools never come unless `tools` says so. */
function bench(tools: string[] = []) {
	const registered: string[] = [];
	const told: unknown[] = [];
	const pi = {
		getCommands: () => [{ name: "mcp" }],
		getAllTools: () => tools.map((name) => ({ name })),
		registerMcpServer: (name: string) => registered.push(name),
		unregisterMcpServer: () => {},
	};
	const face = { ask: async (event: string, data: unknown) => void told.push([event, data]) };
	const servers = new McpServers(pi as unknown as ExtensionAPI, () => face as unknown as Face, new Notices(() => undefined));
	return { servers, registered, told };
}

const server = (waitMs: number): McpServer[] =>
	readOutcome({ mcp_servers: [{ provider: "p", name: "more", command: "more", args: [], ready: { tool_prefix: "mcp__more__", wait_ms: waitMs } }] }).mcpServers;

test("a turn waits 15 s for a server's tools and no longer, whatever its provider asks", async () => {
	const { servers, told } = bench();
	servers.take(server(86_400_000));
	mock.timers.enable({ apis: ["setTimeout", "Date"] });
	try {
		const before = Date.now();
		let missing: string[] | undefined;
		void servers.ready().then((names) => {
			missing = names;
		});
		while (missing === undefined && Date.now() - before < 60_000) {
			mock.timers.tick(100);
			for (let turn = 0; turn < 10; turn++) await Promise.resolve();
		}
		assert.deepEqual(missing, ["more"]);
		assert.ok(Date.now() - before >= 15_000 && Date.now() - before <= 15_200, `${Date.now() - before} ms`);
	} finally {
		mock.timers.reset();
	}
	assert.deepEqual(told, [["mcp.result", { name: "more", ok: false, reason: "none of its tools appeared within 15000 ms" }]]);
});

test("a shorter wait stays as it is, and tools that are there are waited for by nobody", async () => {
	const { servers } = bench();
	servers.take(server(10));
	assert.deepEqual(await servers.ready(), ["more"]);
	const there = bench(["mcp__more__x"]);
	there.servers.take(server(86_400_000));
	assert.deepEqual(await there.servers.ready(), []);
	assert.deepEqual(there.told, [["mcp.result", { name: "more", ok: true, reason: null }]]);
});

test("a host that was started again hears once more what became of a server that runs", async () => {
	const { servers, registered, told } = bench(["mcp__more__x"]);
	servers.take(server(10));
	await servers.ready();
	servers.take(server(10));
	assert.equal(told.length, 1, "asked for again by the same host: nothing new");
	servers.repeat();
	servers.take(server(10));
	servers.take(server(10));
	assert.deepEqual(registered, ["more"]);
	assert.equal(told.length, 2);
	assert.deepEqual(told[1], told[0]);
});
