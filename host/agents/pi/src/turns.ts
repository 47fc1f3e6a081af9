/** A turn: the prompt with its injection, each call of the model, and the answer. */

import type {
	AgentEndEvent,
	BeforeAgentStartEvent,
	BeforeAgentStartEventResult,
	ContextEvent,
	ExtensionContext,
	InputEvent,
} from "@earendil-works/pi-coding-agent";
import type { Barrier } from "./barrier.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Face } from "./face.ts";
import type { McpServers } from "./mcp.ts";
import { ephemeral, pinned, rewritten, textOf, together, withoutPictures } from "./messages.ts";
import type { Notices } from "./notices.ts";
import type { Quotes } from "./quotes.ts";
import { MESSAGE_TYPE, NOTE_TYPE, detailsOf, visibleInMessages } from "./records.ts";
import type { ToolTable } from "./tools.ts";
import { type Injection, type Json, type Outcome, type SectionName, isRecord } from "./wire.ts";

export interface TurnParts {
	face: () => Face;
	barrier: Barrier;
	deadlines: Deadlines;
	notices: Notices;
	tools: ToolTable;
	mcp: McpServers;
	quotes: Quotes;
}

interface Prompt {
	text: string;
	source: string;
}

function note(content: string): BeforeAgentStartEventResult {
	return { message: { customType: NOTE_TYPE, content, display: false, details: { ctxhost: 1, sections: [] } } };
}

/** The tokens of a whole run, in Pi's own names. */
export function usageOf(messages: readonly unknown[]): Json | null {
	const sum: Record<string, number> = {};
	for (const message of messages) {
		if (!isRecord(message) || message.role !== "assistant" || !isRecord(message.usage)) continue;
		for (const [name, value] of Object.entries(message.usage)) if (typeof value === "number") sum[name] = (sum[name] ?? 0) + value;
	}
	return Object.keys(sum).length > 0 ? sum : null;
}

export class Turns {
	readonly #parts: TurnParts;
	#source = "user";
	#requests = 0;
	/** Text that belongs to the next call of the model and to no other. */
	#call: { text: string; sections: SectionName[] }[] = [];

	constructor(parts: TurnParts) {
		this.#parts = parts;
	}

	input(event: InputEvent): void {
		this.#source = event.source === "extension" ? "extension" : "user";
	}

	async prompt(event: BeforeAgentStartEvent, ctx: ExtensionContext): Promise<BeforeAgentStartEventResult | undefined> {
		const { barrier, deadlines, face, mcp, notices, quotes, tools } = this.#parts;
		const prompt = this.#read(event);
		this.#requests = 0;
		this.#call = [];
		quotes.accept(undefined);
		if ((await barrier.wait(deadlines.of("prompt"))) === "expired") return this.#expired();
		tools.enforce();
		const outcome = await face().ask("prompt", { text: prompt.text, source: prompt.source });
		const missing = await mcp.ready();
		if (missing.length > 0 && barrier.claimReport()) {
			notices.once("mcp late", "warning", `the tools of ${missing.join(", ")} are not there yet; run /reload if they stay away`);
		}
		if (outcome) this.#keepCall(outcome);
		const injection = outcome?.injection;
		if (!injection) return undefined;
		quotes.accept(injection);
		return { message: { customType: MESSAGE_TYPE, content: injection.text, display: quotes.needsMessage(injection, ctx), details: detailsOf(injection) } };
	}

	/** Before each call of the model: a provider may say what stays, and add what is true for this call alone. */
	async modelCall(event: ContextEvent): Promise<{ messages: ContextEvent["messages"] } | undefined> {
		const face = this.#parts.face();
		const { messages } = event;
		this.#requests++;
		face.sees(messages);
		const outcome = face.wants("model_call") ? await this.#askModelCall(face, messages) : undefined;
		if (outcome) this.#keepCall(outcome);
		const call = this.#call;
		this.#call = [];
		if (!outcome?.messages && call.length === 0) return undefined;
		const kept = outcome?.messages ? rewritten(messages, outcome.messages) : messages;
		return { messages: [...kept, ...call.map(({ text, sections }) => ephemeral(text, sections) as unknown as ContextEvent["messages"][number])] };
	}

	end(event: AgentEndEvent): void {
		const last = event.messages.findLast(({ role }) => role === "assistant");
		const text = last ? textOf(last) : null;
		// Nobody waits for the answer, which may still bring a status.
		void this.#parts.face().ask("turn.end", { assistant_text: text, usage: usageOf(event.messages) });
	}

	#askModelCall(face: Face, messages: readonly unknown[]): Promise<Outcome | undefined> {
		return face.ask(
			"model_call",
			{ messages: withoutPictures(messages), request_no: this.#requests },
			{ visible: visibleInMessages(messages), pinned: pinned(messages), together: together(messages) },
		);
	}

	#keepCall({ call }: Outcome): void {
		if (call) this.#call.push({ text: call.text, sections: namesOf(call) });
	}

	/** Exactly one turn says that the host was not ready in time: to the person, and to the model whose tools may be missing. */
	#expired(): BeforeAgentStartEventResult | undefined {
		if (!this.#parts.barrier.claimReport()) return undefined;
		this.#parts.notices.failure("hung", "the host did not get ready in time");
		return note("The context host was not ready in time: its tools may not be callable yet and its context is missing. The user can run /reload.");
	}

	/** A newer Pi also starts runs from an extension's message, which is no prompt of a person. */
	#read(event: BeforeAgentStartEvent): Prompt {
		const started = event as unknown as Json;
		if (started.messageType === "custom" && isRecord(started.message)) {
			return { text: textOf(started.message) ?? "", source: String(started.message.customType ?? "extension") };
		}
		const source = this.#source;
		this.#source = "user";
		return { text: typeof started.prompt === "string" ? started.prompt : "", source };
	}
}

const namesOf = (injection: Injection): SectionName[] => injection.sections.map(({ provider, key, id }) => ({ provider, key, id }));
