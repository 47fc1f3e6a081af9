/** Our own messages in a conversation, known by their record and never by their text, which anybody could write. */

import { type Injection, type Json, type SectionName, isRecord, readSectionNames } from "./wire.ts";

export const MESSAGE_TYPE = "ctxhost";
export const NOTE_TYPE = "ctxhost-note";
export const QUOTE_TYPE = "ctxhost-quote";

export interface Quote {
	provider: string;
	key: string;
	text: string;
}

export interface Details {
	ctxhost: 1;
	sections: SectionName[];
	tokens: number;
	quotes: Quote[];
}

export function detailsOf(injection: Injection): Details {
	return {
		ctxhost: 1,
		sections: injection.sections.map(({ provider, key, id }) => ({ provider, key, id })),
		tokens: injection.tokens,
		quotes: injection.sections.flatMap(({ provider, key, quote }) => (quote ? [{ provider, key, text: quote }] : [])),
	};
}

/** The sections of a message or session entry of ours, or `undefined` when it is somebody else's. */
function sectionsOf(record: unknown): SectionName[] | undefined {
	if (!isRecord(record) || record.customType !== MESSAGE_TYPE || !isRecord(record.details)) return undefined;
	return record.details.ctxhost === 1 ? readSectionNames(record.details.sections) : undefined;
}

export function isOurMessage(message: unknown): boolean {
	return isRecord(message) && message.role === "custom" && (message.customType === MESSAGE_TYPE || message.customType === NOTE_TYPE);
}

/** What a branch of the session shows: what came after the last compaction, and what that one kept. */
export function visibleOnBranch(entries: readonly unknown[]): SectionName[] {
	const shown = shownEntries(entries);
	const edits = new Map<string, unknown>();
	for (const entry of shown) {
		if (isRecord(entry) && entry.type === "context_edit" && typeof entry.targetId === "string") edits.set(entry.targetId, entry.replacement);
	}
	return shown.flatMap((entry) => {
		if (!isRecord(entry) || entry.type !== "custom_message") return [];
		// An edited message no longer says what its record says.
		if (typeof entry.id === "string" && edits.has(entry.id)) return [];
		return sectionsOf(entry) ?? [];
	});
}

function shownEntries(entries: readonly unknown[]): readonly unknown[] {
	const at = entries.findLastIndex((entry) => isRecord(entry) && entry.type === "compaction");
	if (at < 0) return entries;
	const kept = (entries[at] as Json).firstKeptEntryId;
	const from = entries.findIndex((entry) => isRecord(entry) && entry.id === kept);
	const before = from >= 0 && from < at ? entries.slice(from, at) : [];
	return [...before, ...entries.slice(at + 1)];
}

/** What the messages of a model call show. */
export function visibleInMessages(messages: readonly unknown[]): SectionName[] {
	return messages.flatMap((message) => (isOurMessage(message) ? (sectionsOf(message) ?? []) : []));
}
