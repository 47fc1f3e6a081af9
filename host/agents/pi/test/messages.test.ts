import assert from "node:assert/strict";
import { test } from "node:test";
import { pinned, rewritten, textBeforeCall, together, withoutPictures } from "../src/messages.ts";

const user = (content: string) => ({ role: "user", content });
const calls = (...ids: string[]) => ({ role: "assistant", content: [{ type: "text", text: "let me look" }, ...ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} }))] });
const result = (toolCallId: string) => ({ role: "toolResult", toolCallId, content: [] });
const ours = { role: "custom", customType: "ctxhost", content: "context", details: { ctxhost: 1, sections: [] } };
const conversation = [user("one"), ours, calls("a", "b"), result("a"), result("b"), user("two"), { role: "assistant", content: [] }];

test("ours, the prompt and what came last are pinned, calls and results together", () => {
	assert.deepEqual(pinned(conversation), [1, 5, 6]);
	assert.deepEqual(together(conversation), [[2, 3, 4]]);
	assert.deepEqual(pinned([]), []);
});

test("of a long turn the prompt and the newest call stay, earlier calls may go", () => {
	const long = [user("one"), user("two"), calls("a"), result("a"), ours, calls("b"), result("b"), calls("c", "d"), result("c"), result("d")];
	assert.deepEqual(pinned(long), [1, 4, 7, 8, 9]);
	assert.deepEqual(rewritten(long, { keep: [5], insert: [] }), [long[1], ours, ...long.slice(5)]);
	assert.deepEqual(pinned([user("one"), calls("a"), result("a"), user("two")]), [3]);
});

test("a rewrite keeps what it names, what is pinned, and whole groups", () => {
	assert.deepEqual(rewritten(conversation, { keep: [], insert: [] }), [ours, conversation[5], conversation[6]]);
	assert.deepEqual(rewritten(conversation, { keep: [3], insert: [] }), conversation.slice(1));
	assert.deepEqual(rewritten(conversation, { keep: undefined, insert: [] }), conversation);
	assert.deepEqual(rewritten(conversation, { keep: [99], insert: [] }).length, 3);
});

test("insertions go before the message they name, and behind the last one", () => {
	const insert = [
		{ before: 5, text: "middle", sections: [] },
		{ before: 0, text: "front", sections: [] },
		{ before: 99, text: "end", sections: [] },
	];
	const contents = rewritten(conversation, { keep: [], insert }).map((message) => (message as { content: unknown }).content);
	assert.deepEqual(contents, ["front", "context", "middle", "two", [], "end"]);
});

test("what the model wrote before a call", () => {
	const message = { role: "assistant", content: [{ type: "text", text: "a" }, { type: "toolCall", id: "1" }, { type: "text", text: "b" }, { type: "toolCall", id: "2" }] };
	assert.equal(textBeforeCall(message, "1"), "a");
	assert.equal(textBeforeCall(message, "2"), "a\nb");
	assert.equal(textBeforeCall(message, "3"), null);
	assert.equal(textBeforeCall(undefined, "1"), null);
});

test("pictures travel without their bytes, and the original keeps them", () => {
	const picture = { role: "user", content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] };
	assert.deepEqual(withoutPictures([picture]), [{ role: "user", content: [{ type: "image", data: "", mimeType: "image/png" }] }]);
	assert.equal(picture.content[0]?.data, "AAAA");
});
