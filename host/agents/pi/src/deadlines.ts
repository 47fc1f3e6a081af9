/** How long this side waits for an answer. Pi puts no limit on a handler, so these are the only ones. */

/** Until the host has named its own, and for what it does not name. */
const DEFAULTS: Readonly<Record<string, number>> = {
	prompt: 3500,
	model_call: 150,
	"tool.before": 250,
	"tool.after": 500,
	compact: 500,
	tools: 10_000,
	tool: 600_000,
};
/** Nobody waits for the answers to the other events, they only must not stay in flight for ever. */
const BACKGROUND_MS = 30_000;
/** What the way to the host and back may take beyond the host's own limit. */
const PROMPT_MARGIN_MS = 500;
const MARGIN_MS = 50;
/** Node runs a timer at once that is set to more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sent whether or not a provider asked: the host itself needs them. */
const ALWAYS = new Set(["session.start", "prompt", "compact", "mcp.result", "session.end"]);

export class Deadlines {
	#named: ReadonlyMap<string, number> | undefined;

	/** Takes over what the host said; `undefined` when it is not known. */
	learn(named: ReadonlyMap<string, number> | undefined): void {
		this.#named = named;
	}

	/** Whether an event is worth a round trip: a limit is named only for what some provider asked for. */
	wants(event: string): boolean {
		return ALWAYS.has(event) || this.#named === undefined || this.#named.has(event);
	}

	of(event: string): number {
		const named = this.#named?.get(event);
		if (named === undefined) return DEFAULTS[event] ?? BACKGROUND_MS;
		return Math.min(named + (event === "prompt" ? PROMPT_MARGIN_MS : MARGIN_MS), LONGEST_TIMER_MS);
	}
}
