/** JSON-RPC 2.0 over lines: knows no process and no method, so that it can be tested with strings. */

import { type Json, isRecord } from "./wire.ts";

/** The contract's cap for one message; what is longer is never sent, and skipped when it arrives. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** The host answered with an error. */
export class HostError extends Error {
	readonly code: number;
	constructor(code: number, message: string) {
		super(message);
		this.name = "HostError";
		this.code = code;
	}
}

/** No answer came in time; one that comes later is dropped. */
export class LateError extends Error {
	/** Whether the host said anything at all since the question was put. */
	readonly silent: boolean;
	constructor(method: string, ms: number, silent: boolean) {
		super(`the host did not answer ${method} within ${ms} ms`);
		this.name = "LateError";
		this.silent = silent;
	}
}

/** There is nobody to ask, or the caller no longer wants the answer. */
export class GoneError extends Error {
	constructor(message: string) {
		super(message);
		this.name = "GoneError";
	}
}

export interface RequestOptions {
	/** Without it the answer may take as long as it likes. */
	timeoutMs?: number | undefined;
	signal?: AbortSignal | undefined;
}

interface Pending {
	settle(error: Error | undefined, result?: unknown): void;
}

/** Splits a stream into lines and bounds what one line may cost. */
export class LineReader {
	#parts: Buffer[] = [];
	#length = 0;
	#skipping = false;
	readonly #limit: number;
	readonly #onLine: (line: string) => void;

	constructor(onLine: (line: string) => void, limit = MAX_FRAME_BYTES) {
		this.#onLine = onLine;
		this.#limit = limit;
	}

	feed(chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(10, start); end >= 0; end = chunk.indexOf(10, start)) {
			this.#add(chunk.subarray(start, end));
			this.#finish();
			start = end + 1;
		}
		this.#add(chunk.subarray(start));
	}

	#add(part: Buffer): void {
		if (part.length === 0 || this.#skipping) return;
		this.#length += part.length;
		if (this.#length > this.#limit) {
			this.#skipping = true;
			this.#parts = [];
			return;
		}
		this.#parts.push(part);
	}

	#finish(): void {
		const skipped = this.#skipping;
		const line = skipped ? "" : Buffer.concat(this.#parts).toString("utf8").replace(/\r$/, "");
		this.#parts = [];
		this.#length = 0;
		this.#skipping = false;
		if (!skipped && line.trim() !== "") this.#onLine(line);
	}
}

export class RpcClient {
	readonly #write: (line: string) => void;
	readonly #onNotification: (method: string, params: Json) => void;
	readonly #reader = new LineReader((line) => this.#line(line));
	readonly #pending = new Map<number, Pending>();
	#lastId = 0;
	#heard = 0;
	#closed: Error | undefined;

	constructor(write: (line: string) => void, onNotification: (method: string, params: Json) => void) {
		this.#write = write;
		this.#onNotification = onNotification;
	}

	/** How many messages have come from the host; one that grows is alive. */
	get heard(): number {
		return this.#heard;
	}

	get inFlight(): number {
		return this.#pending.size;
	}

	feed(chunk: Buffer): void {
		this.#reader.feed(chunk);
	}

	request(method: string, params: Json, options: RequestOptions = {}): Promise<unknown> {
		return new Promise((resolve, reject) => {
			if (this.#closed) return reject(this.#closed);
			if (options.signal?.aborted) return reject(new GoneError(`${method} was cancelled`));
			const id = ++this.#lastId;
			const heard = this.#heard;
			let timer: NodeJS.Timeout | undefined;
			const cancel = () => {
				this.notify("cancel", { id });
				this.#pending.get(id)?.settle(new GoneError(`${method} was cancelled`));
			};
			this.#pending.set(id, {
				settle: (error, result) => {
					this.#pending.delete(id);
					clearTimeout(timer);
					options.signal?.removeEventListener("abort", cancel);
					if (error) reject(error);
					else resolve(result);
				},
			});
			options.signal?.addEventListener("abort", cancel, { once: true });
			const { timeoutMs } = options;
			if (timeoutMs !== undefined) {
				timer = setTimeout(() => {
					this.notify("cancel", { id });
					const asked = method === "event" && typeof params.event === "string" ? params.event : method;
					this.#pending.get(id)?.settle(new LateError(asked, timeoutMs, this.#heard === heard));
				}, timeoutMs);
			}
			this.#send({ jsonrpc: "2.0", id, method, params }, (error) => this.#pending.get(id)?.settle(error));
		});
	}

	notify(method: string, params: Json): void {
		if (!this.#closed) this.#send({ jsonrpc: "2.0", method, params }, () => {});
	}

	/** Ends every wait; nothing is sent or heard any more. */
	close(reason: Error): void {
		if (this.#closed) return;
		this.#closed = reason;
		for (const pending of [...this.#pending.values()]) pending.settle(reason);
	}

	#send(message: Json, onFailure: (error: Error) => void): void {
		try {
			const line = JSON.stringify(message);
			if (Buffer.byteLength(line) > MAX_FRAME_BYTES) {
				return onFailure(new GoneError(`a message of more than ${MAX_FRAME_BYTES} bytes was not sent`));
			}
			this.#write(`${line}\n`);
		} catch (error) {
			onFailure(error instanceof Error ? error : new Error(String(error)));
		}
	}

	#line(line: string): void {
		if (this.#closed) return;
		let message: unknown;
		try {
			message = JSON.parse(line);
		} catch {
			return; // Noise on the stream costs nothing; the answer that is missing runs into its deadline.
		}
		if (!isRecord(message)) return;
		this.#heard++;
		if (typeof message.method === "string") {
			if (message.id === undefined) this.#onNotification(message.method, isRecord(message.params) ? message.params : {});
			return;
		}
		const pending = typeof message.id === "number" ? this.#pending.get(message.id) : undefined;
		if (!pending) return; // Late, cancelled or never asked for: dropped, never applied.
		if (isRecord(message.error)) {
			const { code, message: reason } = message.error;
			pending.settle(new HostError(typeof code === "number" ? code : 0, typeof reason === "string" ? reason : "the host gave no reason"));
		} else {
			pending.settle(undefined, message.result);
		}
	}
}
