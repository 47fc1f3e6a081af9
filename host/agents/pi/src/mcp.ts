/** MCP servers that providers want Pi to run, and the word back to them on what became of it. */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Face } from "./face.ts";
import type { Notices } from "./notices.ts";
import { type McpServerConfig, connectsMcpServers, newerPi, quietly } from "./pi.ts";
import type { McpServer } from "./wire.ts";

const POLL_MS = 100;
/** A turn is held no longer than this for a server's tools, whatever its provider asks. */
const READY_AT_MOST_MS = 15_000;

export class McpServers {
	readonly #pi: ExtensionAPI;
	readonly #face: () => Face;
	readonly #notices: Notices;
	/** What was last asked for each name, to act on changes alone. */
	readonly #asked = new Map<string, string>();
	/** Servers whose tools have not appeared yet. Pi tells extensions neither a connection nor a failure. */
	readonly #awaited = new Map<string, { toolPrefix: string; waitMs: number }>();
	/** What became of each server, and which of these a host that was started again has not heard. */
	readonly #results = new Map<string, { ok: boolean; reason: string | null }>();
	readonly #unheard = new Set<string>();

	constructor(pi: ExtensionAPI, face: () => Face, notices: Notices) {
		this.#pi = pi;
		this.#face = face;
		this.#notices = notices;
	}

	take(servers: McpServer[]): void {
		for (const server of servers) {
			const asked = JSON.stringify(server);
			if (this.#asked.get(server.name) === asked) {
				if (this.#unheard.delete(server.name)) this.#report(server.name);
				continue;
			}
			this.#asked.set(server.name, asked);
			if (server.withdraw) this.#withdraw(server.name);
			else this.#register(server);
		}
	}

	/** The host was started again: its providers ask anew for what runs already, and are told how that went. */
	repeat(): void {
		for (const name of this.#results.keys()) this.#unheard.add(name);
	}

	/** Holds a turn until the servers' tools are there. Returns the names of those that did not come. */
	async ready(): Promise<string[]> {
		const awaited = [...this.#awaited];
		this.#awaited.clear();
		const late = await Promise.all(awaited.map(async ([name, { toolPrefix, waitMs }]) => ((await this.#appears(toolPrefix, waitMs)) ? undefined : { name, waitMs })));
		for (const [at, [name]] of awaited.entries()) {
			const missing = late[at];
			this.#tell(name, !missing, missing ? `none of its tools appeared within ${missing.waitMs} ms` : null);
		}
		return late.flatMap((missing) => (missing ? [missing.name] : []));
	}

	#register(server: McpServer): void {
		const register = newerPi(this.#pi).registerMcpServer;
		if (!register) return this.#refuse(server, "this Pi runs no MCP servers for extensions");
		if (!quietly(() => connectsMcpServers(this.#pi))) return this.#refuse(server, "no loaded extension connects MCP servers");
		const config: McpServerConfig = { command: server.command, args: server.args };
		if (server.exposure) config.exposure = server.exposure;
		if (server.timeoutSeconds) config.timeout = server.timeoutSeconds;
		try {
			register.call(this.#pi, server.name, config);
		} catch (error) {
			return this.#refuse(server, error instanceof Error ? error.message : String(error));
		}
		if (server.ready) this.#awaited.set(server.name, { ...server.ready, waitMs: Math.min(server.ready.waitMs, READY_AT_MOST_MS) });
		else this.#tell(server.name, true, null);
	}

	#withdraw(name: string): void {
		this.#awaited.delete(name);
		this.#results.delete(name);
		quietly(() => newerPi(this.#pi).unregisterMcpServer?.call(this.#pi, name));
	}

	#refuse(server: McpServer, reason: string): void {
		this.#notices.once(`mcp ${server.name}`, "warning", `the MCP server ${server.name} of ${server.provider} is not run: ${reason}`);
		this.#tell(server.name, false, reason);
	}

	#tell(name: string, ok: boolean, reason: string | null): void {
		this.#results.set(name, { ok, reason });
		this.#report(name);
	}

	#report(name: string): void {
		this.#unheard.delete(name);
		const result = this.#results.get(name);
		if (result) void this.#face().ask("mcp.result", { name, ...result });
	}

	async #appears(toolPrefix: string, waitMs: number): Promise<boolean> {
		const until = Date.now() + waitMs;
		for (;;) {
			if (quietly(() => this.#pi.getAllTools().some(({ name }) => name.startsWith(toolPrefix)))) return true;
			if (Date.now() >= until) return false;
			await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		}
	}
}
