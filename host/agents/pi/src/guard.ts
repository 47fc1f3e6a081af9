/** Tool calls: what the host thinks of one before it runs, and what becomes of its result. */

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { ExtensionContext, ToolCallEvent, ToolCallEventResult, ToolResultEvent } from "@earendil-works/pi-coding-agent";
import type { Face } from "./face.ts";
import { textBeforeCall } from "./messages.ts";
import { quietly } from "./pi.ts";
import type { ToolTable } from "./tools.ts";
import { type Json, type ResultPatch, isRecord } from "./wire.ts";

/** What Pi takes from a handler of `tool_result`; its older types do not export the name. */
export interface ResultChange {
	content?: ToolResultEvent["content"];
	details?: unknown;
	isError?: boolean;
}

type Kind = "read" | "search" | "list" | "run" | "edit" | "write" | "other";

const KINDS: Readonly<Record<string, Kind>> = {
	read: "read",
	bash: "run",
	powershell: "run",
	edit: "edit",
	write: "write",
	grep: "search",
	find: "search",
	ls: "list",
};

export function kindOf(tool: string, own: boolean): Kind {
	return own ? "other" : (Object.hasOwn(KINDS, tool) ? KINDS[tool] : undefined) ?? "other";
}

/** The files and folders that a call of one of Pi's own tools names, absolute. */
export function pathsOf(kind: Kind, input: unknown, cwd: string, home = homedir()): string[] {
	if (kind === "other" || kind === "run" || !isRecord(input)) return [];
	const named = typeof input.path === "string" ? input.path : typeof input.file_path === "string" ? input.file_path : "";
	const path = named.replace(/^@/, ""); // Models copy the sign that people write before a file; Pi drops it too.
	if (path === "") return [];
	return [path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(cwd, path)];
}

/** What Pi keeps of an edit besides its text, which is the diff; those of other tools may be large and about anything. */
export function detailsOf(kind: unknown, details: unknown): Json | null {
	return (kind === "edit" || kind === "write") && isRecord(details) ? details : null;
}

/** The result as a patch changes it; details are added to what is there, since Pi's own drawing reads them. */
export function patched(event: { content: unknown; details: unknown; isError: boolean }, patch: ResultPatch | undefined, guidance: string | undefined, failed: boolean): ResultChange | undefined {
	const result: ResultChange = {};
	const content = (patch?.content ?? (Array.isArray(event.content) ? event.content : [])) as ToolResultEvent["content"];
	if (patch?.content) result.content = content;
	if (patch?.details !== undefined) {
		result.details = isRecord(event.details) && isRecord(patch.details) ? { ...event.details, ...patch.details } : patch.details;
	}
	if (patch?.isError !== undefined) result.isError = patch.isError;
	else if (failed && !event.isError) result.isError = true;
	if (guidance) result.content = [...content, { type: "text", text: guidance }];
	return Object.keys(result).length > 0 ? result : undefined;
}

export class Guard {
	readonly #face: () => Face;
	readonly #tools: ToolTable;
	readonly #guidance = new Map<string, string>();
	/** What was said of a call before it ran, which its result repeats. */
	readonly #calls = new Map<string, Json>();
	#assistant: unknown;

	constructor(face: () => Face, tools: ToolTable) {
		this.#face = face;
		this.#tools = tools;
	}

	/** A turn begins: nothing of the last one is waited for any more. */
	reset(): void {
		this.#guidance.clear();
		this.#calls.clear();
		this.#assistant = undefined;
	}

	/** The model's message that tool calls come from. */
	hears(message: unknown): void {
		if (isRecord(message) && message.role === "assistant") this.#assistant = message;
	}

	/** Never throws: Pi would block the tool. */
	async before(event: ToolCallEvent, ctx: ExtensionContext): Promise<ToolCallEventResult | undefined> {
		try {
			const face = this.#face();
			if (!face.wants("tool.before") && !face.wants("tool.after")) return undefined;
			const call = this.#describe(event, ctx);
			this.#calls.set(event.toolCallId, call);
			const decision = (await face.ask("tool.before", call))?.decision;
			if (!decision) return undefined;
			if (decision.block) return { block: true, reason: decision.reason };
			if (decision.guidance) this.#guidance.set(event.toolCallId, decision.guidance);
		} catch {
			// Whatever fails here costs the hint, never the call.
		}
		return undefined;
	}

	async after(event: ToolResultEvent, ctx: ExtensionContext): Promise<ResultChange | undefined> {
		const guidance = this.#guidance.get(event.toolCallId);
		const failed = this.#tools.takeFailure(event.toolCallId);
		this.#guidance.delete(event.toolCallId);
		const face = this.#face();
		const call = this.#calls.get(event.toolCallId);
		this.#calls.delete(event.toolCallId);
		let patch: ResultPatch | undefined;
		if (face.wants("tool.after")) {
			const said = call ?? quietly(() => this.#describe(event, ctx));
			const result = { input: event.input, content: event.content, details: detailsOf(said?.kind, event.details), is_error: event.isError || failed };
			if (said) patch = (await face.ask("tool.after", { ...said, ...result }))?.resultPatch;
		}
		return patched(event, patch, guidance, failed);
	}

	#describe(event: ToolCallEvent | ToolResultEvent, ctx: ExtensionContext): Json {
		const own = this.#tools.ownerOf(event.toolName);
		const kind = kindOf(event.toolName, own !== null);
		const parent = (event as { parentToolCallId?: unknown }).parentToolCallId;
		const parentId = typeof parent === "string" ? parent : null;
		return {
			id: event.toolCallId,
			name: event.toolName,
			kind,
			paths: pathsOf(kind, event.input, ctx.cwd),
			input: event.input,
			own,
			parent_id: parentId,
			assistant_text: this.#textBefore(event.toolCallId, parentId, ctx),
		};
	}

	/** What the model wrote before the call, or before the call that made this one. */
	#textBefore(callId: string, parentId: string | null, ctx: ExtensionContext): string | null {
		const outermost = (parentId ?? callId).split("/")[0] ?? callId;
		const fromEvent = [callId, parentId ?? callId, outermost].map((id) => textBeforeCall(this.#assistant, id)).find((text) => text !== null);
		if (fromEvent !== undefined) return fromEvent;
		const last = quietly(() => ctx.sessionManager.getBranch())?.findLast((entry) => entry.type === "message" && entry.message.role === "assistant");
		return last?.type === "message" ? textBeforeCall(last.message, outermost) : null;
	}
}
