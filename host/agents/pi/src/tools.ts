/** The providers' tools as Pi's tools, kept in step with what the host offers. */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Deadlines } from "./deadlines.ts";
import type { Face } from "./face.ts";
import type { Host } from "./host.ts";
import type { Notices } from "./notices.ts";
import { quietly } from "./pi.ts";
import { LateError } from "./rpc.ts";
import { type Json, type Tool, type Tools, readToolReply, readTools } from "./wire.ts";

/** Announcements come in bursts; one list answers them all. */
const DEBOUNCE_MS = 50;
/** A result does not wait longer than this for the tools it names. */
const SETTLE_MS = 3000;
const SNIPPET_LENGTH = 160;

type Registered = Parameters<ExtensionAPI["registerTool"]>[0];
type Update = (text: string) => void;

export interface ToolParts {
	pi: ExtensionAPI;
	host: Host;
	face: () => Face;
	deadlines: Deadlines;
	notices: Notices;
	onTools(tools: Tools): void;
}

/** One line for Pi's list of tools: the description's first sentence. */
export function snippet(description: string): string {
	const line = description.replace(/\s+/g, " ").trim();
	const sentence = /^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line;
	return sentence.length > SNIPPET_LENGTH ? `${sentence.slice(0, SNIPPET_LENGTH - 1)}…` : sentence;
}

export class ToolTable {
	readonly #parts: ToolParts;
	#current = new Map<string, Tool>();
	/** What Pi has been told of each tool, to tell it only what changed. */
	readonly #registered = new Map<string, string>();
	/** Tools that left the active set because of us, and come back because of us. */
	readonly #withdrawn = new Set<string>();
	readonly #failed = new Set<string>();
	readonly #updates = new Map<string, Set<Update>>();
	#syncing: Promise<void> | undefined;
	#again = false;
	#debounce: NodeJS.Timeout | undefined;

	constructor(parts: ToolParts) {
		this.#parts = parts;
	}

	owns(name: string): boolean {
		return this.#registered.has(name);
	}

	ownerOf(name: string): { provider: string; tool: string } | null {
		const tool = this.owns(name) ? this.#current.get(name) : undefined;
		return tool ? { provider: tool.provider, tool: tool.tool } : null;
	}

	/** A provider says that its tools changed. */
	changed(): void {
		this.#again = true;
		clearTimeout(this.#debounce);
		this.#debounce = setTimeout(() => void this.settle(), DEBOUNCE_MS);
		this.#debounce.unref();
	}

	/** Waits, within limits, until what was announced is registered. */
	async settle(): Promise<void> {
		clearTimeout(this.#debounce);
		if (!this.#again && !this.#syncing) return;
		let timer: NodeJS.Timeout | undefined;
		const limit = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, SETTLE_MS);
		});
		await Promise.race([this.sync(), limit]);
		clearTimeout(timer);
	}

	/** Asks the host for its tools and takes them over; never throws. */
	sync(): Promise<void> {
		if (this.#syncing) {
			this.#again = true;
			return this.#syncing;
		}
		this.#syncing = this.#run().finally(() => {
			this.#syncing = undefined;
		});
		return this.#syncing;
	}

	/** Whether the host called the result of this call an error; asked once. */
	takeFailure(callId: string): boolean {
		return this.#failed.delete(callId);
	}

	progress(provider: string, text: string): void {
		const updates = this.#updates.get(provider);
		// Progress names a provider and no call, so it belongs somewhere only while one call runs.
		if (updates?.size === 1) for (const update of updates) quietly(() => update(text));
	}

	/** Takes withdrawn tools out again: a restored session or a refreshed registry may have put them back. */
	enforce(): void {
		const { pi } = this.#parts;
		quietly(() => {
			const active = pi.getActiveTools();
			const allowed = active.filter((name) => !this.#withdrawn.has(name));
			if (allowed.length < active.length) pi.setActiveTools(allowed);
		});
	}

	async #run(): Promise<void> {
		do {
			this.#again = false;
			const ctx = this.#parts.face().context;
			if (!ctx) return;
			try {
				const answer = await this.#parts.host.request("tools", this.#parts.face().where(ctx), { timeoutMs: this.#parts.deadlines.of("tools") });
				const tools = readTools(answer);
				this.#take(tools.tools);
				this.#parts.onTools(tools);
			} catch (error) {
				if (error instanceof LateError) this.#parts.notices.failure("hung", error.message);
				return;
			}
		} while (this.#again);
	}

	#take(tools: Tool[]): void {
		this.#current = new Map(tools.filter(({ active }) => active).map((tool) => [tool.name, tool]));
		for (const tool of this.#current.values()) this.#register(tool);
		for (const name of this.#registered.keys()) {
			if (this.#current.has(name)) this.#restore(name);
			else this.#withdrawn.add(name);
		}
		this.enforce();
	}

	#register(tool: Tool): void {
		const { pi, notices } = this.#parts;
		const told = JSON.stringify([tool.description, tool.schema, tool.guidelines]);
		if (this.#registered.get(tool.name) === told) return;
		try {
			if (!this.owns(tool.name) && pi.getAllTools().some(({ name }) => name === tool.name)) {
				throw new Error("another extension has a tool of this name");
			}
			pi.registerTool(this.#definition(tool));
			this.#registered.set(tool.name, told);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			notices.once(`tool ${tool.name}`, "warning", `the tool ${tool.name} of ${tool.provider} is left out: ${reason}`);
		}
	}

	#restore(name: string): void {
		if (!this.#withdrawn.delete(name)) return;
		const { pi } = this.#parts;
		quietly(() => {
			const active = pi.getActiveTools();
			if (!active.includes(name)) pi.setActiveTools([...active, name]);
		});
	}

	#definition(tool: Tool): Registered {
		const definition = {
			name: tool.name,
			label: tool.name,
			description: tool.description,
			promptSnippet: snippet(tool.description),
			promptGuidelines: tool.guidelines,
			parameters: tool.schema,
			execute: (callId: string, args: unknown, signal: AbortSignal | undefined, onUpdate: ((partial: unknown) => void) | undefined) =>
				this.#call(tool.name, callId, args, signal, (text) => onUpdate?.({ content: [{ type: "text", text }], details: undefined })),
		};
		// A provider's schema is plain JSON Schema, which Pi takes; its type asks for a schema built by a library.
		return definition as unknown as Registered;
	}

	async #call(name: string, callId: string, args: unknown, signal: AbortSignal | undefined, update: Update): Promise<Json> {
		const { host, face, deadlines } = this.#parts;
		const ctx = face().context;
		const tool = this.#current.get(name);
		if (!tool || !ctx) throw new Error(`${name} is no longer offered by ctxhost`);
		const updates = this.#updates.get(tool.provider) ?? new Set();
		this.#updates.set(tool.provider, updates.add(update));
		try {
			const params = { name, args, call_id: callId, ...face().where(ctx) };
			const reply = readToolReply(await host.request("tool", params, { timeoutMs: deadlines.of("tool"), signal }));
			// What the result names must be callable by the time the model reads it.
			await this.settle();
			if (reply.isError) this.#failed.add(callId);
			const content = reply.content.length > 0 ? reply.content : [{ type: "text", text: "(no output)" }];
			return {
				content,
				details: reply.details,
				...(reply.structured === undefined || reply.structured === null ? {} : { structuredContent: reply.structured }),
				...(reply.isError ? { isError: true } : {}),
			};
		} finally {
			updates.delete(update);
		}
	}
}
