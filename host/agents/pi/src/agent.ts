/** Who asks: the agent of the envelope, as Pi is at this moment. */

import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { connectsMcpServers, inTerminal, quietly } from "./pi.ts";
import { type Json, isRecord } from "./wire.ts";

/** Pi's own vocabulary of tools, in use or not, in every version. */
const BUILT_IN = ["bash", "edit", "find", "grep", "ls", "powershell", "read", "write"];

/** What this face delivers; what needs a person is left out where nobody looks. */
export function capabilities(pi: ExtensionAPI, ctx: ExtensionContext): string[] {
	const can = ["inject.prompt", "inject.call", "rewrite", "block", "patch", "tools", "commands"];
	if (quietly(() => connectsMcpServers(pi))) can.push("mcp");
	if (ctx.hasUI) can.push("status", "notify", "quote", "picker");
	if (inTerminal(ctx)) can.push("footer");
	return can;
}

/** Names that a provider's tool cannot have: Pi's own, and what others have registered. */
export function toolNames(pi: ExtensionAPI, ours: (name: string) => boolean): { guarded: string[]; taken: string[] } {
	const guarded = new Set(BUILT_IN);
	const taken = new Set<string>();
	for (const tool of quietly(() => pi.getAllTools()) ?? []) {
		if (ours(tool.name)) continue;
		if (tool.sourceInfo?.source === "builtin") guarded.add(tool.name);
		else if (!guarded.has(tool.name)) taken.add(tool.name);
	}
	return { guarded: [...guarded].sort(), taken: [...taken].sort() };
}

/** Pi's version, from the package that the running program belongs to. */
function piVersion(): string | null {
	const program = process.argv[1];
	if (!program) return null;
	return (
		quietly(() => {
			for (let folder = dirname(realpathSync(program)); folder !== dirname(folder); folder = dirname(folder)) {
				const manifest = quietly((): unknown => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
				if (isRecord(manifest) && typeof manifest.version === "string" && String(manifest.name).endsWith("/pi-coding-agent")) return manifest.version;
			}
			return null;
		}) ?? null
	);
}

let version: string | null | undefined;

export function describeAgent(pi: ExtensionAPI, ctx: ExtensionContext, configDirectory: string, ours: (name: string) => boolean): Json {
	// Looked for once, found or not: this runs at each event.
	if (version === undefined) version = piVersion();
	const { model } = ctx;
	const usage = quietly(() => ctx.getContextUsage());
	return {
		name: "pi",
		version,
		config_dir: configDirectory,
		model: model ? { id: model.id, context_window: model.contextWindow > 0 ? model.contextWindow : null } : null,
		usage_tokens: usage?.tokens ?? null,
		can: capabilities(pi, ctx),
		tools: toolNames(pi, ours),
	};
}
