/** What people are told, each thing once a session; where no one looks at a screen, warnings go to standard error. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { plain } from "./cells.ts";
import type { Failure } from "./host.ts";
import { quietly } from "./pi.ts";
import type { Finding, Level } from "./wire.ts";

/** More than this a person does not read in a notification. */
const LONGEST = 2000;

const FAILURES: Readonly<Record<Failure, (reason: string) => string>> = {
	missing: (reason) => `${reason}. Prompts go without its context; run /reload when it is there.`,
	start: (reason) => `the host did not start: ${reason}. Prompts go without its context; run /reload to try again.`,
	crash: (reason) => `the host is gone: ${reason}. Prompts go without its context until it is back.`,
	hung: (reason) => `${reason}. This prompt goes without its context and its tools may be missing; run /reload if that stays so.`,
	version: (reason) => `the host cannot be used: ${reason}. Install a ctxhost and an extension that fit together, then run /reload.`,
};

export class Notices {
	readonly #context: () => ExtensionContext | undefined;
	#told = new Set<string>();

	constructor(context: () => ExtensionContext | undefined) {
		this.#context = context;
	}

	/** A new session may be told everything again. */
	reset(): void {
		this.#told.clear();
	}

	/** Tells `text` unless something of the same `kind` was told before. */
	once(kind: string, level: Level, text: string): void {
		if (this.#told.has(kind)) return;
		this.#told.add(kind);
		this.say(level, text);
	}

	/** Each way in which the host can fail is told once. */
	failure(kind: Failure, reason: string): void {
		this.once(`failure ${kind}`, "warning", FAILURES[kind](reason));
	}

	finding({ level, provider, code, message, hint }: Finding): void {
		const who = provider ? `${provider}: ` : "";
		this.once(`finding ${provider ?? ""} ${code} ${code ? "" : message}`, level, `${who}${message}${hint ? `; ${hint}` : ""}`);
	}

	say(level: Level, text: string): void {
		const shown = `ctxhost: ${plain(text).slice(0, LONGEST)}`;
		const ctx = this.#context();
		if (ctx && quietly(() => ctx.hasUI)) quietly(() => ctx.ui.notify(shown, level));
		else if (level !== "info") process.stderr.write(`${shown}\n`);
	}
}
