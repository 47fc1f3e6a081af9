import assert from "node:assert/strict";
import { test } from "node:test";
import { GoneError, HostError, LateError, LineReader, RpcClient } from "../src/rpc.ts";
import type { Json } from "../src/wire.ts";

function client() {
	const sent: Json[] = [];
	const heard: [string, Json][] = [];
	const rpc = new RpcClient((line) => sent.push(JSON.parse(line)), (method, params) => heard.push([method, params]));
	return { rpc, sent, heard, say: (message: unknown) => rpc.feed(Buffer.from(`${typeof message === "string" ? message : JSON.stringify(message)}\n`)) };
}

test("answers find their questions in any order", async () => {
	const { rpc, sent, say } = client();
	const first = rpc.request("tools", {});
	const second = rpc.request("hello", { v: 1 });
	say({ jsonrpc: "2.0", id: sent[1]?.id, result: "second" });
	say({ jsonrpc: "2.0", id: sent[0]?.id, result: "first" });
	assert.deepEqual([await first, await second], ["first", "second"]);
	assert.equal(rpc.inFlight, 0);
});

test("a late answer is dropped, and the host is told that nobody waits", async () => {
	const { rpc, sent, say } = client();
	const asked = rpc.request("event", { event: "prompt" }, { timeoutMs: 10 });
	await assert.rejects(asked, (error: unknown) => error instanceof LateError && error.silent && error.message.includes("prompt"));
	say({ jsonrpc: "2.0", id: 1, result: {} });
	assert.deepEqual(sent[1], { jsonrpc: "2.0", method: "cancel", params: { id: 1 } });
});

test("a host that said something meanwhile is slow, not silent", async () => {
	const { rpc, say } = client();
	const asked = rpc.request("tools", {}, { timeoutMs: 20 });
	say({ jsonrpc: "2.0", method: "status", params: {} });
	await assert.rejects(asked, (error: unknown) => error instanceof LateError && !error.silent);
});

test("an error answer carries code and message", async () => {
	const { rpc, say } = client();
	const asked = rpc.request("tool", {});
	say({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: "no such tool" } });
	await assert.rejects(asked, (error: unknown) => error instanceof HostError && error.code === -32000 && error.message === "no such tool");
});

test("noise and unknown ids cost nothing", async () => {
	const { rpc, heard, say } = client();
	const asked = rpc.request("tools", {});
	for (const noise of ["not json", "[]", "null", '{"id":99,"result":1}', '{"id":"1","result":1}', "{}", '{"method":7}']) say(noise);
	say({ method: "tools_changed", params: { provider: "p" } });
	say({ jsonrpc: "2.0", id: 1, result: 5 });
	assert.equal(await asked, 5);
	assert.deepEqual(heard, [["tools_changed", { provider: "p" }]]);
});

test("an abort cancels the question", async () => {
	const { rpc, sent } = client();
	const abort = new AbortController();
	const asked = rpc.request("tool", {}, { signal: abort.signal });
	abort.abort();
	await assert.rejects(asked, GoneError);
	assert.equal(sent[1]?.method, "cancel");
});

test("closing ends every wait and every later one", async () => {
	const { rpc } = client();
	const asked = rpc.request("tools", {});
	rpc.close(new GoneError("ended"));
	await assert.rejects(asked, /ended/);
	await assert.rejects(rpc.request("tools", {}), /ended/);
});

test("a pipe that throws rejects the question", async () => {
	const rpc = new RpcClient(() => {
		throw new Error("EPIPE");
	}, () => {});
	await assert.rejects(rpc.request("tools", {}), /EPIPE/);
});

test("lines are put together across chunks, with characters cut in two", () => {
	const lines: string[] = [];
	const reader = new LineReader((line) => lines.push(line));
	const bytes = Buffer.from("é1\r\n\n  \nzwei\ndrei");
	for (const byte of bytes) reader.feed(Buffer.from([byte]));
	assert.deepEqual(lines, ["é1", "zwei"]);
});

test("a line over the limit is skipped to its end", () => {
	const lines: string[] = [];
	const reader = new LineReader((line) => lines.push(line), 8);
	reader.feed(Buffer.from("12345678\n123456789\n"));
	for (let at = 0; at < 100; at++) reader.feed(Buffer.from("xxxx"));
	reader.feed(Buffer.from("\nok\n"));
	assert.deepEqual(lines, ["12345678", "ok"]);
});
