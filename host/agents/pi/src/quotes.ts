/**
 * What people see of an accepted section under their message: its quote, and the entry a provider wants stored.
 * Both come from the outcome that was accepted, so a later change in the editor cannot attach another selection.
 */

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { clip, plain } from "./cells.ts";
import { type Component, type Paint, inTerminal, newerPi, quietly } from "./pi.ts";
import { MESSAGE_TYPE, QUOTE_TYPE, type Quote } from "./records.ts";
import { type Injection, isRecord } from "./wire.ts";

/** A quote points at what was selected; it does not repeat it. */
const MOST_LINES = 6;

function readQuotes(value: unknown): Quote[] {
	if (!isRecord(value) || !Array.isArray(value.quotes)) return [];
	return value.quotes.filter(isRecord).flatMap(({ provider, key, text }) =>
		typeof text === "string" ? [{ provider: String(provider), key: String(key), text }] : [],
	);
}

function render(quotes: Quote[], theme: Paint, columns: number): string[] {
	const lines = quotes.flatMap(({ text }) => plain(text).split("\n"));
	const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `${lines.length - MOST_LINES + 1} more lines`] : lines;
	return shown.map((line) => theme.fg("dim", clip(`  > ${line}`, columns)));
}

function component(quotes: Quote[], theme: Paint): Component | undefined {
	if (quotes.length === 0) return undefined;
	return { render: (columns) => render(quotes, theme, columns), invalidate: () => {} };
}

export class Quotes {
	readonly #pi: ExtensionAPI;
	#accepted: Injection | undefined;

	constructor(pi: ExtensionAPI) {
		this.#pi = pi;
	}

	register(): void {
		quietly(() =>
			this.#pi.registerMessageRenderer(MESSAGE_TYPE, (message, _options, theme) => component(readQuotes(message.details), theme as unknown as Paint)),
		);
		const draw = newerPi(this.#pi).registerEntryRenderer;
		if (draw) quietly(() => draw.call(this.#pi, QUOTE_TYPE, (entry, _options, theme) => component(readQuotes(entry.data), theme)));
	}

	/** Whether the message itself has to carry the quote on the screen: an older Pi draws no entries. */
	needsMessage(injection: Injection, ctx: ExtensionContext): boolean {
		return newerPi(this.#pi).registerEntryRenderer === undefined && inTerminal(ctx) && injection.sections.some(({ quote }) => quote);
	}

	accept(injection: Injection | undefined): void {
		this.#accepted = injection;
	}

	/** Stores quotes and entries beside the user's message, once that is part of the session. */
	store(ctx: ExtensionContext): void {
		const accepted = this.#accepted;
		if (!accepted || !accepted.sections.some(({ quote, entry }) => quote || entry)) return;
		this.#accepted = undefined;
		const message = quietly(() => ctx.sessionManager.getBranch())?.findLast((entry) => entry.type === "message" && entry.message.role === "user")?.id ?? null;
		const quotes: Quote[] = [];
		for (const { provider, key, id, quote, entry } of accepted.sections) {
			if (quote) quotes.push({ provider, key, text: quote });
			if (entry) quietly(() => this.#pi.appendEntry(entry.type, { message, provider, key, id, data: entry.data ?? null }));
		}
		if (quotes.length > 0) quietly(() => this.#pi.appendEntry(QUOTE_TYPE, { message, quotes }));
	}
}
