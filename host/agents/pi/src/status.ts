/** The pill each provider has in the status line, and its bubble for what needs more room. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { clip, plain } from "./cells.ts";
import { quietly } from "./pi.ts";
import type { Status } from "./wire.ts";

const PILL_CELLS = 40;
const BUBBLE_LINES = 6;
const BUBBLE_CELLS = 200;

export class StatusLine {
	readonly #context: () => ExtensionContext | undefined;
	readonly #shown = new Map<string, Status>();
	/** What Pi was last told, to tell it only changes: in RPC mode each word is a record on the wire. */
	readonly #told = new Map<string, string>();

	constructor(context: () => ExtensionContext | undefined) {
		this.#context = context;
	}

	/** The providers' pills, in a fixed order. */
	get all(): ReadonlyMap<string, Status> {
		return new Map([...this.#shown].sort(([a], [b]) => (a < b ? -1 : 1)));
	}

	show(provider: string, status: Status): void {
		const pill = clip(plain(status.text).replace(/\s+/g, " ").trim(), PILL_CELLS);
		const bubble = status.detail ? plain(status.detail).split("\n").slice(0, BUBBLE_LINES).map((line) => clip(line, BUBBLE_CELLS)) : undefined;
		if (pill || bubble) this.#shown.set(provider, { text: pill, detail: status.detail });
		else this.#shown.delete(provider);
		this.#put(provider, pill || undefined, bubble);
	}

	clear(): void {
		for (const provider of this.#shown.keys()) this.#put(provider, undefined, undefined);
		this.#shown.clear();
	}

	#put(provider: string, pill: string | undefined, bubble: string[] | undefined): void {
		const ctx = this.#context();
		const told = JSON.stringify([pill, bubble]);
		if (!ctx || !quietly(() => ctx.hasUI) || this.#told.get(provider) === told) return;
		this.#told.set(provider, told);
		quietly(() => ctx.ui.setStatus(`ctxhost:${provider}`, pill));
		quietly(() => ctx.ui.setWidget(`ctxhost:${provider}`, bubble, { placement: "belowEditor" }));
	}
}
