/** Rewriting what one model call sees: which messages must stay, which belong together, and what a host's answer makes of them. */

import { MESSAGE_TYPE, isOurMessage } from "./records.ts";
import { type Json, type Rewrite, type SectionName, isRecord } from "./wire.ts";

/**
 * Messages that must stay: ours, the prompt of the current turn, and what came last, from the assistant's newest message on.
 * Earlier calls of a long turn may go, with their results: a turn alone can be larger than what a rewrite promises to hold.
 */
export function pinned(messages: readonly unknown[]): number[] {
	const last = (role: string) => messages.findLastIndex((message) => isRecord(message) && message.role === role);
	const turn = last("user");
	const newest = Math.max(turn, last("assistant"));
	return [...messages.keys()].filter((at) => (turn >= 0 && (at === turn || at >= newest)) || isOurMessage(messages[at]));
}

function toolCallIds(message: unknown): string[] {
	if (!isRecord(message) || message.role !== "assistant" || !Array.isArray(message.content)) return [];
	return message.content.filter(isRecord).flatMap((part) => (part.type === "toolCall" && typeof part.id === "string" ? [part.id] : []));
}

/** Each assistant message with tool calls and the results of these: a model's API refuses one without the other. */
export function together(messages: readonly unknown[]): number[][] {
	const groups: number[][] = [];
	const groupOf = new Map<string, number[]>();
	for (const [at, message] of messages.entries()) {
		const calls = toolCallIds(message);
		if (calls.length > 0) {
			const group = [at];
			groups.push(group);
			for (const id of calls) groupOf.set(id, group);
		} else if (isRecord(message) && message.role === "toolResult" && typeof message.toolCallId === "string") {
			groupOf.get(message.toolCallId)?.push(at);
		}
	}
	return groups.filter((group) => group.length > 1);
}

/** The messages as the host gets them: without the bytes of pictures, which no provider reads. */
export function withoutPictures(messages: readonly unknown[]): unknown[] {
	return messages.map((message) => {
		if (!isRecord(message) || !Array.isArray(message.content)) return message;
		const content = message.content.map((part: unknown) => (isRecord(part) && part.type === "image" ? { ...part, data: "" } : part));
		return { ...message, content };
	});
}

/** A message for this model call alone. */
export function ephemeral(text: string, sections: SectionName[]): Json {
	return { role: "custom", customType: MESSAGE_TYPE, content: text, display: false, details: { ctxhost: 1, sections, tokens: 0, quotes: [] }, timestamp: Date.now() };
}

/** The messages that a rewrite leaves; what must stay stays, whatever it says. */
export function rewritten<M>(messages: readonly M[], rewrite: Rewrite): M[] {
	const kept = new Set<number>(rewrite.keep ?? messages.keys());
	if (rewrite.keep) for (const at of pinned(messages)) kept.add(at);
	for (const group of together(messages)) {
		if (group.some((at) => kept.has(at))) for (const at of group) kept.add(at);
	}
	const result: M[] = [];
	const insertAt = (at: number, last: boolean) => {
		for (const one of rewrite.insert) {
			if (one.before === at || (last && one.before > at)) result.push(ephemeral(one.text, one.sections) as M);
		}
	};
	for (const [at, message] of messages.entries()) {
		insertAt(at, false);
		if (kept.has(at)) result.push(message);
	}
	insertAt(messages.length, true);
	return result;
}

/** What the model wrote in a message before one of its calls; `null` where the call is not in it. */
export function textBeforeCall(message: unknown, callId: string): string | null {
	if (!isRecord(message) || !Array.isArray(message.content)) return null;
	const parts = message.content.filter(isRecord);
	const at = parts.findIndex((part) => part.type === "toolCall" && part.id === callId);
	return at < 0 ? null : joinText(parts.slice(0, at));
}

export function textOf(message: unknown): string | null {
	if (!isRecord(message)) return null;
	if (typeof message.content === "string") return message.content;
	return Array.isArray(message.content) ? joinText(message.content.filter(isRecord)) : null;
}

function joinText(parts: Json[]): string {
	return parts.flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : [])).join("\n");
}
