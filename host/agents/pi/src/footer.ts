/** The footer of the pilot-index document: tokens at the left; the index, the git branch and the model at the right. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { clip, justify, plain } from "./cells.ts";
import { type Component, type Paint, inTerminal, quietly } from "./pi.ts";
import type { StatusLine } from "./status.ts";
import { isRecord } from "./wire.ts";

/** The spec whose document asks for a footer. */
export const FOOTER_SPEC = "pilot-index";

export interface FooterFacts {
	input: number;
	output: number;
	status: string[];
	branch: string | undefined;
	model: string | undefined;
	/** What other extensions show; Pi's own footer would have carried it. */
	others: string[];
}

function tokens(count: number): string {
	if (count < 1000) return String(count);
	if (count < 1_000_000) return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
	return `${(count / 1_000_000).toFixed(1)}M`;
}

export function footerLines(facts: FooterFacts, columns: number): string[] {
	const right = [...facts.status, facts.branch, facts.model].filter((part) => part).join("  ");
	const line = justify(`↑${tokens(facts.input)} ↓${tokens(facts.output)}`, right, columns);
	const others = facts.others.join(" ");
	return [line.left + line.gap + line.right, ...(others ? [clip(others, columns)] : [])];
}

/** All tokens the session has cost, as Pi's own footer counts them. */
export function usedTokens(entries: readonly unknown[]): { input: number; output: number } {
	const used = { input: 0, output: 0 };
	for (const entry of entries) {
		const message = isRecord(entry) && entry.type === "message" && isRecord(entry.message) ? entry.message : undefined;
		const usage = message?.role === "assistant" && isRecord(message.usage) ? message.usage : undefined;
		if (typeof usage?.input === "number") used.input += usage.input;
		if (typeof usage?.output === "number") used.output += usage.output;
	}
	return used;
}

interface FooterData {
	getGitBranch(): string | null;
	getExtensionStatuses(): ReadonlyMap<string, string>;
	onBranchChange(callback: () => void): () => void;
}

export class Footer {
	readonly #context: () => ExtensionContext | undefined;
	readonly #status: StatusLine;
	#repaint: (() => void) | undefined;

	constructor(context: () => ExtensionContext | undefined, status: StatusLine) {
		this.#context = context;
		this.#status = status;
	}

	/** Takes the place of Pi's footer, or gives it back. */
	show(wanted: boolean): void {
		const ctx = this.#context();
		if (!ctx || !quietly(() => inTerminal(ctx)) || wanted === (this.#repaint !== undefined)) return this.#repaint?.();
		if (!wanted) {
			this.#repaint = undefined;
			quietly(() => ctx.ui.setFooter(undefined));
			return;
		}
		this.#repaint = () => {};
		quietly(() => ctx.ui.setFooter((screen, theme, data) => this.#component(() => screen.requestRender(), theme as unknown as Paint, data as unknown as FooterData)));
	}

	#component(repaint: () => void, theme: Paint, data: FooterData): Component & { dispose(): void } {
		this.#repaint = repaint;
		return {
			render: (columns) => footerLines(this.#facts(data), columns).map((line) => theme.fg("dim", line)),
			invalidate: () => {},
			dispose: data.onBranchChange(repaint),
		};
	}

	#facts(data: FooterData): FooterFacts {
		const ctx = this.#context();
		const others = quietly(() => [...data.getExtensionStatuses()]) ?? [];
		return {
			...usedTokens(quietly(() => ctx?.sessionManager.getEntries()) ?? []),
			status: [...this.#status.all.values()].map(({ text }) => text).filter((text) => text !== ""),
			branch: quietly(() => data.getGitBranch()) ?? undefined,
			model: quietly(() => ctx?.model?.id),
			others: others.filter(([key]) => !key.startsWith("ctxhost:")).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => plain(text).replace(/\s+/g, " ").trim()),
		};
	}
}
