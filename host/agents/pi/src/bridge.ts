/** One instance of the extension: what it is made of, and a session's life from start to shutdown. */

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Barrier } from "./barrier.ts";
import { NO_SETTINGS, agentDirectory, readUserSettings } from "./binary.ts";
import { plain } from "./cells.ts";
import { CommandTable } from "./commands.ts";
import { Deadlines } from "./deadlines.ts";
import { Face } from "./face.ts";
import { FOOTER_SPEC, Footer } from "./footer.ts";
import { Guard } from "./guard.ts";
import { type Failure, type Greeting, Host } from "./host.ts";
import { McpServers } from "./mcp.ts";
import { Notices } from "./notices.ts";
import { quietly } from "./pi.ts";
import { Quotes } from "./quotes.ts";
import { StatusLine } from "./status.ts";
import { ToolTable } from "./tools.ts";
import { Turns } from "./turns.ts";
import { type Json, type Outcome, type Tools, isRecord, readStatus } from "./wire.ts";

/** Pi's start waits this long, so that tools and commands are mostly there when a person sees the prompt. */
const START_MS = 700;
/** A host that is well ends in this time when Pi quits; one that hangs is killed as Pi leaves. */
const QUIT_MS = 300;

/** Instances of this process, whichever copy of this module made them: a reload imports it anew. */
const INSTANCES = Symbol.for("ctxhost.pi.instances");

interface Instance {
	isStale(): boolean;
	abandon(): void;
}

function instances(): Set<Instance> {
	const shared = globalThis as { [INSTANCES]?: Set<Instance> };
	shared[INSTANCES] ??= new Set();
	return shared[INSTANCES];
}

export class Bridge implements Instance {
	readonly #pi: ExtensionAPI;
	readonly #configDirectory = agentDirectory(process.env);
	readonly #deadlines = new Deadlines();
	readonly #barrier = new Barrier();
	readonly #notices = new Notices(() => this.#face.context);
	readonly #status = new StatusLine(() => this.#face.context);
	readonly #footer = new Footer(() => this.#face.context, this.#status);
	readonly #host: Host;
	readonly #face: Face;
	readonly #mcp: McpServers;
	readonly #tools: ToolTable;
	readonly #commands: CommandTable;
	readonly quotes: Quotes;
	readonly guard: Guard;
	readonly turns: Turns;
	/** The session start that runs or ran last, and what it was for. */
	#starting: Promise<void> = Promise.resolve();
	#session = "";
	/** As they were when the session started: a file is no thing to read at each call of a tool. */
	#settings = NO_SETTINGS;

	constructor(pi: ExtensionAPI) {
		this.#pi = pi;
		const face = () => this.#face;
		this.#host = new Host({
			env: process.env,
			settings: () => this.#settings,
			// A context that is gone throws; the session it belonged to has no use for the host either.
			agent: () => quietly(() => this.#face.context && (this.#face.where(this.#face.context).agent as Json)) ?? {},
			onReady: (greeting, restarted) => this.#greeted(greeting, restarted),
			onFailure: (failure, reason) => this.#failed(failure, reason),
			onNotification: (method, params) => this.#notified(method, params),
		});
		const shared = { pi, host: this.#host, face, deadlines: this.#deadlines, notices: this.#notices };
		this.#mcp = new McpServers(pi, face, this.#notices);
		this.#tools = new ToolTable({ ...shared, onTools: (tools) => this.#listed(tools) });
		this.#commands = new CommandTable({ ...shared, describe: () => this.#describe() });
		this.quotes = new Quotes(pi);
		this.guard = new Guard(face, this.#tools);
		this.turns = new Turns({ ...shared, barrier: this.#barrier, tools: this.#tools, mcp: this.#mcp, quotes: this.quotes });
		this.#face = new Face({
			...shared,
			configDirectory: this.#configDirectory,
			ours: (name) => this.#tools.owns(name),
			apply: (outcome) => this.#apply(outcome),
		});
		this.quotes.register();
		this.#commands.register();
	}

	/** The newest context of Pi is the one that works: an older one may belong to a session that is gone. */
	sees(ctx: ExtensionContext): void {
		this.#face.context = ctx;
	}

	async start(reason: string, ctx: ExtensionContext): Promise<void> {
		this.sees(ctx);
		const open = this.#barrier.arm();
		const session = `${reason} ${ctx.sessionManager.getSessionId()}`;
		// An older Pi announces some sessions twice; the host that the first word started serves it.
		if (session !== this.#session) this.#notices.reset();
		if (session !== this.#session || !this.#host.isUp) this.#starting = this.#open(reason);
		this.#session = session;
		const started = this.#starting.finally(open);
		let timer: NodeJS.Timeout | undefined;
		await Promise.race([
			started,
			new Promise<void>((resolve) => {
				timer = setTimeout(resolve, START_MS);
			}),
		]);
		clearTimeout(timer);
	}

	async #open(reason: string): Promise<void> {
		for (const other of instances()) if (other !== this && other.isStale()) other.abandon();
		instances().add(this);
		this.#status.clear();
		this.#deadlines.learn(undefined);
		this.#settings = readUserSettings(this.#configDirectory);
		if (this.#settings.problem) this.#notices.once("settings", "warning", this.#settings.problem);
		await this.#host.start();
		await this.#introduce(reason);
	}

	async shutdown(reason: string): Promise<void> {
		instances().delete(this);
		this.#face.leave(reason);
		if (reason !== "quit") {
			this.#footer.show(false);
			this.#status.clear();
		}
		// A replaced session waits for nothing; the process that ends gives the host a moment to end well.
		await this.#host.stop(reason === "quit" ? QUIT_MS : 0);
	}

	/** Whether Pi has replaced this instance without saying so. */
	isStale(): boolean {
		return quietly(() => this.#pi.getActiveTools()) === undefined;
	}

	abandon(): void {
		instances().delete(this);
		void this.#host.stop(0);
	}

	async compact(phase: "before" | "after", reason: unknown): Promise<void> {
		await this.#face.ask("compact", { phase, reason: typeof reason === "string" ? reason : null });
	}

	modelChange(): void {
		void this.#face.ask("model.change", {});
	}

	/** Tells the host of the session and takes over its tools; the session's own start may take longer than both. */
	async #introduce(reason: string): Promise<void> {
		if (!this.#host.greeting) return;
		void this.#face.ask("session.start", { reason });
		await this.#tools.sync();
	}

	#greeted(greeting: Greeting, restarted: boolean): void {
		for (const finding of greeting.findings) this.#notices.finding(finding);
		if (!restarted) return;
		this.#mcp.repeat();
		void this.#introduce("restart");
	}

	/** The host is gone, and with it whatever its providers had to say of themselves. */
	#failed(failure: Failure, reason: string): void {
		this.#notices.failure(failure, reason);
		this.#status.clear();
		this.#refreshFooter();
	}

	#listed(tools: Tools): void {
		this.#deadlines.learn(tools.deadlines);
		this.#commands.take(tools.commands);
		for (const finding of tools.findings) this.#notices.finding(finding);
	}

	#apply(outcome: Outcome): void {
		for (const [provider, status] of outcome.status) this.#status.show(provider, status);
		for (const finding of outcome.findings) this.#notices.finding(finding);
		if (outcome.mcpServers.length > 0) this.#mcp.take(outcome.mcpServers);
		this.#refreshFooter();
	}

	#refreshFooter(): void {
		const { footer } = this.#settings;
		const asking = this.#host.greeting?.providers.filter(({ spec }) => spec.split("/")[0] === FOOTER_SPEC) ?? [];
		this.#footer.show(footer === "on" || (footer === "auto" && asking.some(({ id }) => this.#status.all.has(id))));
	}

	#notified(method: string, params: Json): void {
		const provider = typeof params.provider === "string" ? params.provider : "";
		const text = typeof params.text === "string" ? params.text : "";
		if (method === "tools_changed") this.#tools.changed();
		else if (method === "progress") this.#tools.progress(provider, text);
		else if (method === "notify" && text !== "") {
			const level = params.level === "error" || params.level === "info" ? params.level : "warning";
			this.#notices.once(`notify ${provider} ${text}`, level, provider ? `${provider}: ${text}` : text);
		} else if (method === "status") {
			const status = isRecord(params.status) ? readStatus(params.status) : undefined;
			if (!status || provider === "") return;
			this.#status.show(provider, status);
			this.#refreshFooter();
		}
		// `invalidate` needs nothing here: the next prompt reports what the conversation shows, and the host knows the rest.
	}

	#describe(): string {
		const { greeting } = this.#host;
		if (!greeting) return "the host does not run; /reload starts it";
		const providers = greeting.providers.map(({ id, version }) => `${id} ${version}`).join(", ") || "no providers";
		const lines = [`host ${greeting.version} (process ${this.#host.pid ?? "?"}): ${providers}`];
		for (const [provider, { text, detail }] of this.#status.all) lines.push(plain(`${provider}: ${[text, detail].filter((part) => part).join(" ")}`));
		return [...lines, ...this.#commands.lines].join("\n");
	}
}
