/** One `ctxhost serve --stdio` process and the pipes to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { GoneError, RpcClient } from "./rpc.ts";
import type { Json } from "./wire.ts";

/** After the end of its input a host that is well ends in a few milliseconds. */
const TERM_AFTER_MS = 300;
const KILL_AFTER_MS = 900;

/** Children of this process that are not known to have ended, whichever copy of this module started them. */
const LIVING = Symbol.for("ctxhost.pi.children");

/** Pi's own exit takes these along. It is listened to once, and not by each copy of this module that a reload makes. */
function living(): Set<ChildProcess> {
	const shared = globalThis as { [LIVING]?: Set<ChildProcess> };
	if (shared[LIVING]) return shared[LIVING];
	const children = new Set<ChildProcess>();
	shared[LIVING] = children;
	// Timers do not run any more when Pi leaves, so what still lives then is killed outright.
	process.once("exit", () => {
		for (const one of children) one.kill("SIGKILL");
	});
	return children;
}

export interface ChildEvents {
	/** Why it ended, unless `stop` was called before. */
	onEnd(reason: string): void;
	onNotification(method: string, params: Json): void;
}

/** Keeps Pi's event loop free: a child or pipe that counts would hang a print run at its end. */
function unref(child: ChildProcess): void {
	child.unref();
	for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as { unref?: () => void } | null)?.unref?.();
}

export class Child {
	readonly rpc: RpcClient;
	readonly #process: ChildProcess;
	readonly #ended: Promise<void>;
	#stopped = false;
	#lastWords = "";

	constructor(program: string, env: NodeJS.ProcessEnv, events: ChildEvents) {
		const child = spawn(program, ["serve", "--stdio"], { env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
		this.#process = child;
		living().add(child);
		unref(child);
		this.rpc = new RpcClient((line) => void child.stdin?.write(line), events.onNotification);
		child.stdout?.on("data", (chunk: Buffer) => this.rpc.feed(chunk));
		child.stderr?.on("data", (chunk: Buffer) => {
			this.#lastWords = (this.#lastWords + chunk.toString("utf8")).slice(-2000);
		});
		// A pipe that breaks is told by the process's end; without a listener it would throw.
		for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.on("error", () => {});
		this.#ended = new Promise((resolve) => {
			const end = (reason: string) => {
				living().delete(child);
				this.rpc.close(new GoneError(reason));
				resolve();
				if (!this.#stopped) events.onEnd(reason);
				this.#stopped = true;
			};
			// A signal that cannot be sent is an error too, and no end.
			child.on("error", (error) => {
				if (child.pid === undefined) end(`${program} could not be started: ${error.message}`);
			});
			child.once("exit", (code, signal) => end(`the host ended ${signal ? `by ${signal}` : `with ${code}`}${this.#tail()}`));
		});
	}

	get pid(): number | undefined {
		return this.#process.pid;
	}

	/** Ends the process politely, then firmly; waits at most `graceMs` for it. */
	async stop(graceMs: number): Promise<void> {
		if (this.#stopped) return;
		this.#stopped = true;
		this.#process.stdin?.end();
		this.rpc.close(new GoneError("the host was stopped"));
		const term = setTimeout(() => this.#process.kill("SIGTERM"), TERM_AFTER_MS);
		const kill = setTimeout(() => this.#process.kill("SIGKILL"), KILL_AFTER_MS);
		term.unref();
		kill.unref();
		void this.#ended.then(() => {
			clearTimeout(term);
			clearTimeout(kill);
		});
		if (graceMs <= 0) return;
		let timer: NodeJS.Timeout | undefined;
		await Promise.race([
			this.#ended,
			new Promise<void>((resolve) => {
				timer = setTimeout(resolve, graceMs);
			}),
		]);
		clearTimeout(timer);
	}

	/** For a process that says nothing any more. */
	kill(): void {
		this.#stopped = true;
		this.rpc.close(new GoneError("the host was killed because it did not answer"));
		this.#process.kill("SIGKILL");
	}

	#tail(): string {
		const line = this.#lastWords.trim().split("\n").at(-1);
		return line ? `: ${line.slice(0, 300)}` : "";
	}
}
