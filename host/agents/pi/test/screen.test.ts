import assert from "node:assert/strict";
import { test } from "node:test";
import { clip, justify, plain, width } from "../src/cells.ts";
import { footerLines, usedTokens } from "../src/footer.ts";

test("no line is wider than the screen, whatever is in it", () => {
	for (const text of ["plain", "日本語のテキスト", "👩‍👩‍👧 family", "\ue6ae \ue8ca", "e\u0301".repeat(50), ""]) {
		for (let limit = 0; limit < 30; limit++) assert.ok(width(clip(text, limit)) <= limit || limit < 2, `${text} in ${limit}`);
	}
	assert.equal(clip("abcdef", 5), "abc…");
	assert.equal(clip("abc", 3), "abc");
});

test("terminals obey nothing from a provider", () => {
	assert.equal(plain("a\u001b[31mb\u001b]0;title\u0007c\u0000\u202ed\te\nf"), "abcd  e\nf");
});

test("left and right share a line, the left one gives way last", () => {
	const wide = justify("left", "right", 20);
	assert.equal(wide.left + wide.gap + wide.right, "left           right");
	const narrow = justify("left", "right", 7);
	assert.equal(narrow.left, "left");
	assert.ok(width(narrow.left + narrow.gap + narrow.right) <= 7);
});

test("the footer of the pilot document", () => {
	const facts = { input: 12_345, output: 999, status: ["pilot:7s"], branch: "main", model: "m-1", others: ["other"] };
	const [line, others] = footerLines(facts, 40);
	assert.equal(line, `↑12k ↓999${" ".repeat(40 - 9 - 19)}pilot:7s  main  m-1`);
	assert.equal(others, "other");
	for (let columns = 1; columns < 60; columns++) for (const one of footerLines(facts, columns)) assert.ok(width(one) <= columns, `${columns}: ${one}`);
	assert.equal(footerLines({ ...facts, branch: undefined, model: undefined, status: [], others: [] }, 40).length, 1);
});

test("tokens of all assistant messages", () => {
	const answer = (input: number, output: number) => ({ type: "message", message: { role: "assistant", usage: { input, output } } });
	assert.deepEqual(usedTokens([answer(1, 2), { type: "message", message: { role: "user" } }, answer(10, 20), null]), { input: 11, output: 22 });
});
