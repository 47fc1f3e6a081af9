/** What this extension uses of Pi beyond the types of its oldest version, found by looking and never by version number. */

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

export interface McpServerConfig {
	command: string;
	args: string[];
	exposure?: string;
	timeout?: number;
}

export type Paint = { fg(color: string, text: string): string };

export interface Component {
	render(width: number): string[];
	invalidate(): void;
}

export interface NewerPi {
	registerMcpServer?(name: string, config: McpServerConfig): void;
	unregisterMcpServer?(name: string): void;
	registerEntryRenderer?(customType: string, renderer: (entry: { data?: unknown }, options: unknown, theme: Paint) => Component | undefined): void;
}

export interface NewerContext {
	mode?: string;
	isProjectTrusted?(): boolean;
}

export const newerPi = (pi: ExtensionAPI): NewerPi => pi as unknown as NewerPi;
const newerContext = (ctx: ExtensionContext): NewerContext => ctx as unknown as NewerContext;

/** Runs what may throw because the session it belongs to was replaced meanwhile. */
export function quietly<T>(action: () => T): T | undefined {
	try {
		return action();
	} catch {
		return undefined;
	}
}

/** Whether people look at a terminal; an older Pi does not say which mode it is in. */
export function inTerminal(ctx: ExtensionContext): boolean {
	const { mode } = newerContext(ctx);
	return mode === undefined ? ctx.hasUI && process.stdout.isTTY === true : mode === "tui";
}

export function trustsProject(ctx: ExtensionContext): boolean {
	return newerContext(ctx).isProjectTrusted?.() === true;
}

/** Pi connects registered MCP servers only while an extension does that, and those register this command. */
export function connectsMcpServers(pi: ExtensionAPI): boolean {
	return newerPi(pi).registerMcpServer !== undefined && pi.getCommands().some(({ name }) => name === "mcp");
}
