/** The providers' commands as slash commands, and `/ctxhost` for all of them. */

import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { clip, plain } from "./cells.ts";
import type { Face } from "./face.ts";
import type { Host } from "./host.ts";
import type { Notices } from "./notices.ts";
import { quietly } from "./pi.ts";
import { type Choice, type Command, readCommandReply } from "./wire.ts";

/** A picker that leads to a picker ends somewhere. */
const MOST_PICKERS = 8;
/** A command may take its time; this only keeps a forgotten one from living for ever. */
const LONGEST_MS = 3_600_000;
const CHOICE_CELLS = 120;

/** Splits arguments as a shell does: spaces, quotes, backslashes. */
export function splitArguments(line: string): string[] {
	const words: string[] = [];
	let word: string | undefined;
	let quote = "";
	for (let at = 0; at < line.length; at++) {
		const character = line.charAt(at);
		if (quote === "'") {
			if (character === "'") quote = "";
			else word += character;
		} else if (character === "\\" && at + 1 < line.length && (quote === "" || '"\\'.includes(line.charAt(at + 1)))) {
			word = (word ?? "") + line.charAt(++at);
		} else if (quote === '"') {
			if (character === '"') quote = "";
			else word += character;
		} else if (character === "'" || character === '"') {
			quote = character;
			word ??= "";
		} else if (/\s/.test(character)) {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else {
			word = (word ?? "") + character;
		}
	}
	if (word !== undefined) words.push(word);
	return words;
}

/** One line per choice, each different, so that the line that comes back says which it was. */
export function choiceLines(choices: Choice[]): string[] {
	const lines = new Set<string>();
	for (const { label, detail } of choices) {
		const line = clip(plain(detail ? `${label}  ${detail}` : label).replace(/\s+/g, " "), CHOICE_CELLS);
		let different = line;
		for (let times = 2; lines.has(different); times++) different = `${line} (${times})`;
		lines.add(different);
	}
	return [...lines];
}

export interface CommandParts {
	pi: ExtensionAPI;
	host: Host;
	face: () => Face;
	notices: Notices;
	/** What `/ctxhost` says without arguments. */
	describe: () => string;
}

export class CommandTable {
	readonly #parts: CommandParts;
	#commands: Command[] = [];
	/** Pi's name of each command that was registered, and whose it is now. */
	readonly #registered = new Map<string, Command | undefined>();

	constructor(parts: CommandParts) {
		this.#parts = parts;
	}

	register(): void {
		this.#parts.pi.registerCommand("ctxhost", {
			description: "Context providers: what runs now; `/ctxhost PROVIDER COMMAND ...` runs one of their commands",
			handler: async (line, ctx) => {
				const [provider, name, ...args] = splitArguments(line);
				if (!provider || !name) return this.#parts.notices.say("info", this.#parts.describe());
				await this.#run(provider, name, args, ctx);
			},
		});
	}

	/** The commands that can be run at this moment, for a person. */
	get lines(): string[] {
		return this.#commands.map(({ provider, name, slash, summary }) => `${slash ? `/${slash}` : `/ctxhost ${provider} ${name}`}  ${summary}`);
	}

	take(commands: Command[]): void {
		this.#commands = commands;
		for (const name of this.#registered.keys()) this.#registered.set(name, undefined);
		for (const command of commands) if (command.slash) this.#offer(command.slash, command);
	}

	#offer(slash: string, command: Command): void {
		const { pi } = this.#parts;
		const others = new Set(quietly(() => pi.getCommands().map(({ name }) => name)) ?? []);
		// Two commands of one name would rename both, so the later one carries its provider's name.
		const name = [slash, `${command.provider}-${slash}`].find((candidate) =>
			this.#registered.has(candidate) ? this.#registered.get(candidate) === undefined : !others.has(candidate),
		);
		if (!name) return;
		const known = this.#registered.has(name);
		this.#registered.set(name, command);
		if (known) return;
		quietly(() =>
			pi.registerCommand(name, {
				description: command.summary,
				handler: async (line, ctx) => {
					const target = this.#registered.get(name);
					if (!target) return this.#parts.notices.say("warning", `/${name} is not offered at the moment`);
					await this.#run(target.provider, target.name, splitArguments(line), ctx);
				},
			}),
		);
	}

	async #run(provider: string, name: string, args: string[], ctx: ExtensionCommandContext): Promise<void> {
		const { host, face, notices } = this.#parts;
		face().context = ctx;
		try {
			let words: string[] | undefined = args;
			for (let step = 0; words && step < MOST_PICKERS; step++) {
				const params = { provider, name, args: words, ...face().where(ctx) };
				const reply = readCommandReply(await host.request("command", params, { timeoutMs: LONGEST_MS }));
				words = reply.choices.length > 0 && ctx.hasUI ? await this.#pick(reply.text, reply.choices, ctx) : undefined;
				if (reply.choices.length === 0 || !ctx.hasUI) this.#answer(reply.text, reply.exit, ctx);
			}
		} catch (error) {
			notices.say("error", `${provider} ${name}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}

	async #pick(title: string, choices: Choice[], ctx: ExtensionCommandContext): Promise<string[] | undefined> {
		const lines = choiceLines(choices);
		const chosen = await ctx.ui.select(plain(title) || "Choose", lines);
		return chosen === undefined ? undefined : choices[lines.indexOf(chosen)]?.args;
	}

	#answer(text: string, exit: number, ctx: ExtensionCommandContext): void {
		if (!ctx.hasUI || text.trim() === "") return;
		ctx.ui.notify(plain(text), exit === 0 ? "info" : "warning");
	}
}
