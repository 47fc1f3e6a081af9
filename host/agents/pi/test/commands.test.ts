import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceLines, splitArguments } from "../src/commands.ts";

test("arguments are split as a shell does", () => {
	for (const [line, words] of [
		["", []],
		["  a  b ", ["a", "b"]],
		[`a "b c" 'd e'`, ["a", "b c", "d e"]],
		[`a"b"'c'`, ["abc"]],
		[`"" ''`, ["", ""]],
		[String.raw`a\ b "c\"d" 'e\f' g\\h`, ["a b", `c"d`, String.raw`e\f`, String.raw`g\h`]],
		[String.raw`"C:\dir"`, [String.raw`C:\dir`]],
		[`"open end`, ["open end"]],
		["back\\", ["back\\"]],
		["a\tb\nc", ["a", "b", "c"]],
	] as [string, string[]][]) {
		assert.deepEqual(splitArguments(line), words, line);
	}
});

test("equal choices can be told apart, and none can break the screen", () => {
	const choice = (label: string, detail?: string) => ({ label, detail, args: [] });
	const lines = choiceLines([choice("nvim", "a"), choice("nvim", "a"), choice("x\u001b[2J\ny"), choice("long", "y".repeat(500))]);
	assert.deepEqual(lines.slice(0, 3), ["nvim a", "nvim a (2)", "x y"]);
	assert.equal(new Set(lines).size, 4);
	assert.ok((lines[3] ?? "").length <= 120);
	assert.deepEqual(choiceLines([choice("a"), choice("a"), choice("a (2)")]), ["a", "a (2)", "a (2) (2)"]);
});
