import assert from "node:assert/strict";
import { test } from "node:test";
import { Barrier } from "../src/barrier.ts";
import { Deadlines } from "../src/deadlines.ts";

test("a turn before the session's start waits for that start", async () => {
	const barrier = new Barrier();
	const turn = barrier.wait(1000);
	const open = barrier.arm();
	setTimeout(open, 5);
	assert.equal(await turn, "ready");
});

test("the resolver of an older start releases no newer one", async () => {
	const barrier = new Barrier();
	const older = barrier.arm();
	const turn = barrier.wait(60);
	const newer = barrier.arm();
	older();
	let done = false;
	void turn.then(() => {
		done = true;
	});
	await new Promise((resolve) => setTimeout(resolve, 20));
	assert.equal(done, false);
	newer();
	assert.equal(await turn, "ready");
});

test("one turn reports expiry, later ones do not even wait", async () => {
	const barrier = new Barrier();
	barrier.arm();
	assert.equal(await barrier.wait(10), "expired");
	assert.deepEqual([barrier.claimReport(), barrier.claimReport()], [true, false]);
	const before = Date.now();
	assert.equal(await barrier.wait(5000), "expired");
	assert.ok(Date.now() - before < 1000);
});

test("after expiry a host that got ready is used, and a new session may report again", async () => {
	const barrier = new Barrier();
	const open = barrier.arm();
	await barrier.wait(5);
	barrier.claimReport();
	open();
	assert.equal(await barrier.wait(5), "ready");
	barrier.arm();
	assert.equal(await barrier.wait(5), "expired");
	assert.equal(barrier.claimReport(), true);
});

test("limits follow the host's, with a margin", () => {
	const deadlines = new Deadlines();
	assert.deepEqual([deadlines.of("prompt"), deadlines.of("model_call"), deadlines.of("tool.before"), deadlines.of("tool.after")], [3500, 150, 250, 500]);
	assert.equal(deadlines.wants("model_call"), true, "unknown: sent");
	deadlines.learn(new Map([["prompt", 1000], ["tool.before", 5000]]));
	assert.deepEqual([deadlines.of("prompt"), deadlines.of("tool.before")], [1500, 5050]);
	deadlines.learn(new Map([["prompt", 1e12], ["tool.before", 5000]]));
	assert.equal(deadlines.of("prompt"), 2 ** 31 - 1, "Node would run a longer timer at once");
	assert.deepEqual(["model_call", "tool.before", "prompt", "session.start", "compact"].map((event) => deadlines.wants(event)), [false, true, true, true, true]);
});
