/**
 * Holds a turn until the session's host is ready. Pi can hand over a prompt before the hook that starts
 * the host has run at all, so the barrier is armed when the extension is constructed.
 */

interface Gate {
	opened: Promise<void>;
	open: () => void;
	isOpen: boolean;
}

function gate(): Gate {
	const made: Gate = { opened: Promise.resolve(), open: () => {}, isOpen: false };
	made.opened = new Promise((resolve) => {
		made.open = () => {
			made.isOpen = true;
			resolve();
		};
	});
	return made;
}

export class Barrier {
	#current = gate();
	#gaveUp = false;
	#reported = false;

	/** A session starts: later turns wait for it. Returns its own resolver, which can release no newer one. */
	arm(): () => void {
		const before = this.#current;
		const armed = gate();
		this.#current = armed;
		this.#gaveUp = false;
		this.#reported = false;
		before.open(); // Who waits there wakes up, sees the newer gate and waits on.
		return armed.open;
	}

	/** Waits for the newest session start, at most `ms` in all; after one turn has waited in vain the next ones do not. */
	async wait(ms: number): Promise<"ready" | "expired"> {
		const until = Date.now() + ms;
		for (;;) {
			const waited = this.#current;
			if (!waited.isOpen && !this.#gaveUp) await within(waited.opened, until - Date.now());
			if (waited !== this.#current) continue;
			if (waited.isOpen) return "ready";
			this.#gaveUp = true;
			return "expired";
		}
	}

	/** True for exactly one turn after each session start. */
	claimReport(): boolean {
		const first = !this.#reported;
		this.#reported = true;
		return first;
	}
}

async function within(promise: Promise<void>, ms: number): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	await Promise.race([
		promise,
		new Promise<void>((resolve) => {
			timer = setTimeout(resolve, Math.max(0, ms));
		}),
	]);
	clearTimeout(timer);
}
