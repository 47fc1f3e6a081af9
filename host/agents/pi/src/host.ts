/** Keeps one host running: finds it, greets it, notices when it is gone or dumb, and starts it again, rarely. */

import { type UserSettings, findBinary } from "./binary.ts";
import { Child } from "./child.ts";
import { GoneError, HostError, LateError, type RequestOptions } from "./rpc.ts";
import { type Finding, type Json, isRecord, readFindings } from "./wire.ts";

export type Failure = "missing" | "start" | "crash" | "hung" | "version";

/** `hello` runs no provider's code, so a host that needs longer than this hangs. */
const HELLO_MS = 3000;
/** A host that keeps dying is started at most once in this time, and ever more rarely. */
const RESTART_EVERY_MS = 10_000;
const RESTART_AT_MOST_MS = 300_000;
/** A host that ran this long before it died has earned a quick restart. */
const HEALTHY_AFTER_MS = 60_000;
const PROBE_MS = 1000;
/** Lets a crash and what caused it pass before the next start. */
const RESTART_AFTER_MS = 200;

export interface Greeting {
	version: string;
	providers: { id: string; version: string; title: string; spec: string }[];
	findings: Finding[];
}

export interface HostOptions {
	env: NodeJS.ProcessEnv;
	settings: () => UserSettings;
	agent: () => Json;
	onReady(greeting: Greeting, restarted: boolean): void;
	onFailure(failure: Failure, reason: string): void;
	onNotification(method: string, params: Json): void;
	restartEveryMs?: number;
	helloMs?: number;
}

function readGreeting(value: unknown): Greeting | undefined {
	if (!isRecord(value) || value.v !== 1) return undefined;
	const text = (one: unknown) => (typeof one === "string" ? one : "");
	const providers = (Array.isArray(value.providers) ? value.providers : [])
		.filter(isRecord)
		.map(({ id, version, title, spec }) => ({ id: text(id), version: text(version), title: text(title), spec: text(spec) }));
	return { version: isRecord(value.host) ? text(value.host.version) : "", providers, findings: readFindings(value.findings) };
}

export class Host {
	readonly #options: HostOptions;
	#child: Child | undefined;
	#greeting: Greeting | undefined;
	#startedAt = Number.NEGATIVE_INFINITY;
	#failures = 0;
	#restart: NodeJS.Timeout | undefined;
	#wanted = false;
	#probing = false;

	constructor(options: HostOptions) {
		this.#options = options;
	}

	/** What the host said of itself, while it runs. */
	get greeting(): Greeting | undefined {
		return this.#greeting;
	}

	/** Whether a process is there, greeted or not. */
	get isUp(): boolean {
		return this.#child !== undefined;
	}

	get pid(): number | undefined {
		return this.#child?.pid;
	}

	/** Starts the host for a session, in place of one that may still be there; never throws. */
	async start(): Promise<void> {
		void this.stop(0);
		this.#wanted = true;
		this.#failures = 0;
		await this.#launch(false);
	}

	async stop(graceMs: number): Promise<void> {
		this.#wanted = false;
		clearTimeout(this.#restart);
		this.#greeting = undefined;
		const child = this.#child;
		this.#child = undefined;
		await child?.stop(graceMs);
	}

	request(method: string, params: Json, options?: RequestOptions): Promise<unknown> {
		if (!this.#child || !this.#greeting) return Promise.reject(new GoneError("ctxhost is not running"));
		const child = this.#child;
		return child.rpc.request(method, params, options).catch((error: unknown) => {
			if (error instanceof LateError && error.silent) void this.#probe(child);
			throw error;
		});
	}

	notify(method: string, params: Json): void {
		if (this.#greeting) this.#child?.rpc.notify(method, params);
	}

	async #launch(restarted: boolean): Promise<void> {
		const binary = findBinary(this.#options.env, this.#options.settings());
		if ("problem" in binary) return this.#fail("missing", binary.problem);
		this.#startedAt = Date.now();
		const child = this.#spawn(binary.path);
		if (!child) return;
		this.#child = child;
		try {
			const answer = await child.rpc.request("hello", { v: 1, agent: this.#options.agent() }, { timeoutMs: this.#options.helloMs ?? HELLO_MS });
			if (this.#child !== child) return;
			const greeting = readGreeting(answer);
			if (!greeting) return this.#refused(child, "it speaks another version of the serve protocol");
			this.#greeting = greeting;
			this.#options.onReady(greeting, restarted);
		} catch (error) {
			if (this.#child !== child) return;
			if (error instanceof LateError) this.#hangs(child, error.message);
			else if (error instanceof HostError) this.#refused(child, error.message);
			// Otherwise the process has ended, which `onEnd` reports.
		}
	}

	#spawn(program: string): Child | undefined {
		try {
			const child: Child = new Child(program, this.#options.env, {
				onEnd: (reason) => {
					if (this.#child === child) this.#died(this.#greeting ? "crash" : "start", reason);
				},
				onNotification: (method, params) => {
					if (this.#child === child) this.#options.onNotification(method, params);
				},
			});
			return child;
		} catch (error) {
			// Node tells some failures as events and throws others: a program that is just being written, say.
			this.#died("start", `${program} could not be started: ${error instanceof Error ? error.message : String(error)}`);
			return undefined;
		}
	}

	/** Not a word since a question was put: asks something that needs no provider, to tell a slow host from one that hangs. */
	async #probe(child: Child): Promise<void> {
		if (this.#probing) return;
		this.#probing = true;
		try {
			await child.rpc.request("cancel", { id: 0 }, { timeoutMs: PROBE_MS });
		} catch (error) {
			if (error instanceof LateError && error.silent) this.#hangs(child, error.message);
		} finally {
			this.#probing = false;
		}
	}

	#refused(child: Child, reason: string): void {
		this.#child = undefined;
		void child.stop(0);
		// Another try would end the same way, so there is none.
		this.#fail("version", reason);
	}

	#hangs(child: Child, reason: string): void {
		if (this.#child !== child) return;
		child.kill();
		this.#died("hung", reason);
	}

	#died(failure: Failure, reason: string): void {
		this.#child = undefined;
		this.#greeting = undefined;
		this.#fail(failure, reason);
		if (!this.#wanted) return;
		if (Date.now() - this.#startedAt > HEALTHY_AFTER_MS) this.#failures = 0;
		const every = Math.min((this.#options.restartEveryMs ?? RESTART_EVERY_MS) * 2 ** this.#failures, RESTART_AT_MOST_MS);
		this.#failures++;
		const wait = Math.max(RESTART_AFTER_MS, this.#startedAt + every - Date.now());
		this.#restart = setTimeout(() => void this.#launch(true), wait);
		this.#restart.unref();
	}

	#fail(failure: Failure, reason: string): void {
		this.#options.onFailure(failure, reason);
	}
}
