/** Where the `ctxhost` program is: the user decides, never a file of the project. */

import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { isRecord } from "./wire.ts";

export interface UserSettings {
	command: string | undefined;
	footer: "auto" | "on" | "off";
	/** What is wrong with the file, for a person. */
	problem: string | undefined;
}

export type Binary = { path: string } | { problem: string };

type Environment = Record<string, string | undefined>;

const SETTINGS_FILE = "ctxhost.json";

export const NO_SETTINGS: UserSettings = { command: undefined, footer: "auto", problem: undefined };

function expandHome(path: string, home: string): string {
	return path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/** Pi's own rule for the folder of the user's files. */
export function agentDirectory(env: Environment, home = homedir()): string {
	const named = env.PI_CODING_AGENT_DIR;
	return named ? expandHome(named, home) : join(home, ".pi", "agent");
}

/** Reads `<agent-dir>/ctxhost.json`; a file that is not there sets nothing. */
export function readUserSettings(directory: string): UserSettings {
	const file = join(directory, SETTINGS_FILE);
	let source: string;
	try {
		source = readFileSync(file, "utf8");
	} catch (error) {
		return isRecord(error) && error.code === "ENOENT" ? NO_SETTINGS : { ...NO_SETTINGS, problem: `${file} cannot be read` };
	}
	try {
		const parsed: unknown = JSON.parse(source);
		if (!isRecord(parsed)) return { ...NO_SETTINGS, problem: `${file} is not a JSON object` };
		const command = typeof parsed.command === "string" && parsed.command !== "" ? parsed.command : undefined;
		const footer = parsed.footer === "on" || parsed.footer === "off" ? parsed.footer : "auto";
		return { ...NO_SETTINGS, command, footer };
	} catch {
		return { ...NO_SETTINGS, problem: `${file} is not valid JSON` };
	}
}

function executable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

function onPath(name: string, path: string | undefined): string | undefined {
	// A relative folder on PATH is a folder of whatever project Pi was opened in: skipped.
	for (const folder of (path ?? "").split(delimiter)) {
		if (!isAbsolute(folder)) continue;
		const candidate = join(folder, name);
		if (executable(candidate)) return candidate;
	}
	return undefined;
}

/** Looks in `CTXHOST_BIN`, the user's settings and `PATH`, in this order; the first that is named decides. */
export function findBinary(env: Environment, settings: UserSettings, home = homedir()): Binary {
	const named = env.CTXHOST_BIN ? { from: "CTXHOST_BIN", value: env.CTXHOST_BIN } : settings.command ? { from: SETTINGS_FILE, value: settings.command } : undefined;
	if (!named) {
		const found = onPath("ctxhost", env.PATH);
		return found ? { path: found } : { problem: "no ctxhost program on PATH; install it, or name it in CTXHOST_BIN" };
	}
	const path = expandHome(named.value, home);
	if (isAbsolute(path)) return executable(path) ? { path } : { problem: `${named.from} names ${path}, which is no program that can be run` };
	if (path.includes("/") || path.includes("\\")) return { problem: `${named.from} names ${path}; write an absolute path` };
	const found = onPath(path, env.PATH);
	return found ? { path: found } : { problem: `${named.from} names ${path}, which is not on PATH` };
}
