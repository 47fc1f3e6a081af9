/** Puts Pi's events to the host as the questions they are, within the limits, and never throws. */

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { describeAgent } from "./agent.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Host } from "./host.ts";
import type { Notices } from "./notices.ts";
import { quietly, trustsProject } from "./pi.ts";
import { visibleInMessages, visibleOnBranch } from "./records.ts";
import { HostError, LateError } from "./rpc.ts";
import { type Json, type Outcome, type SectionName, readOutcome } from "./wire.ts";

export interface FaceParts {
	pi: ExtensionAPI;
	host: Host;
	deadlines: Deadlines;
	notices: Notices;
	configDirectory: string;
	ours: (tool: string) => boolean;
	/** What an outcome of any event may carry besides its answer: status, findings, MCP servers. */
	apply: (outcome: Outcome) => void;
}

export class Face {
	/** Pi's context of the newest event; absent before the first session. */
	context: ExtensionContext | undefined;
	readonly #parts: FaceParts;
	/** The messages of the last model call, for a session whose branch cannot be read. */
	#lastMessages: readonly unknown[] = [];

	constructor(parts: FaceParts) {
		this.#parts = parts;
	}

	/** The session's part of a request, with the agent as it is now. */
	where(ctx: ExtensionContext): Json {
		const { pi, configDirectory, ours } = this.#parts;
		return {
			session: { id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, trusted: trustsProject(ctx) },
			agent: describeAgent(pi, ctx, configDirectory, ours),
		};
	}

	/** What the conversation shows, by our own records. */
	visible(): SectionName[] {
		const branch = quietly(() => this.context?.sessionManager.getBranch());
		return branch ? visibleOnBranch(branch) : visibleInMessages(this.#lastMessages);
	}

	sees(messages: readonly unknown[]): void {
		this.#lastMessages = messages;
	}

	/** Whether a question would reach somebody who wants it. */
	wants(event: string): boolean {
		return this.#parts.host.greeting !== undefined && this.#parts.deadlines.wants(event);
	}

	/** Asks; `undefined` when nobody wants it, nobody is there, or the answer came too late. */
	async ask(event: string, data: Json, more: Json = {}): Promise<Outcome | undefined> {
		const { host, deadlines, apply } = this.#parts;
		const ctx = this.context;
		if (!ctx || !this.wants(event)) return undefined;
		try {
			const params = { event, ...this.where(ctx), visible: this.visible(), data, ...more };
			const outcome = readOutcome(await host.request("event", params, { timeoutMs: deadlines.of(event) }));
			quietly(() => apply(outcome));
			return outcome;
		} catch (error) {
			this.#missed(event, error);
			return undefined;
		}
	}

	/** Says goodbye without waiting for an answer. */
	leave(reason: string): void {
		const ctx = this.context;
		const where = ctx && quietly(() => this.where(ctx));
		if (where) this.#parts.host.notify("event", { event: "session.end", ...where, data: { reason } });
	}

	#missed(event: string, error: unknown): void {
		const { notices } = this.#parts;
		// A limit that a tool call or model call runs into costs its context and no more; a prompt's is worth a word.
		if (error instanceof LateError && event === "prompt") notices.failure("hung", error.message);
		if (error instanceof HostError) notices.once(`refused ${event}`, "warning", `the host refused ${event}: ${error.message}`);
	}
}
