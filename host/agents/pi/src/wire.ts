/** What `ctxhost serve` says and hears, as far as this extension uses it, and how its answers are read. */

export interface SectionName {
	provider: string;
	key: string;
	id: string;
}

export interface Entry {
	type: string;
	data?: unknown;
}

export interface Section extends SectionName {
	quote?: string;
	entry?: Entry;
}

export interface Injection {
	text: string;
	tokens: number;
	sections: Section[];
}

export type Decision = { block: true; reason: string } | { block: false; guidance: string | undefined };

export interface Insert {
	before: number;
	text: string;
	sections: SectionName[];
}

export interface Rewrite {
	/** Absent when everything stays. */
	keep: number[] | undefined;
	insert: Insert[];
}

export interface ResultPatch {
	content?: Record<string, unknown>[];
	details?: unknown;
	isError?: boolean;
}

export interface McpServer {
	provider: string;
	name: string;
	withdraw: boolean;
	command: string;
	args: string[];
	exposure: string | undefined;
	timeoutSeconds: number | undefined;
	ready: { toolPrefix: string; waitMs: number } | undefined;
}

export interface Status {
	text: string;
	detail: string | undefined;
}

export type Level = "error" | "warning" | "info";

export interface Finding {
	level: Level;
	provider: string | undefined;
	code: string;
	message: string;
	hint: string | undefined;
}

export interface Outcome {
	injection: Injection | undefined;
	call: Injection | undefined;
	decision: Decision | undefined;
	messages: Rewrite | undefined;
	resultPatch: ResultPatch | undefined;
	mcpServers: McpServer[];
	status: Map<string, Status>;
	findings: Finding[];
}

export interface Tool {
	/** What the model calls it. */
	name: string;
	provider: string;
	/** What its provider calls it. */
	tool: string;
	description: string;
	schema: Record<string, unknown>;
	guidelines: string[];
	active: boolean;
}

export interface Command {
	provider: string;
	name: string;
	slash: string | undefined;
	summary: string;
}

export interface Tools {
	tools: Tool[];
	commands: Command[];
	/** The longest that the host itself takes, by event; a key is there only for what some provider asked for. */
	deadlines: Map<string, number>;
	findings: Finding[];
}

export interface Choice {
	label: string;
	detail: string | undefined;
	args: string[];
}

export interface CommandReply {
	text: string;
	exit: number;
	choices: Choice[];
}

export interface ToolReply {
	content: ({ type: "text"; text: string } | { type: "image"; data: string; mimeType: string })[];
	structured: unknown;
	details: unknown;
	isError: boolean;
}

export type Json = Record<string, unknown>;

export function isRecord(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

const records = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const someText = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);
const number = (value: unknown): number | undefined => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const index = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

export function readSectionNames(value: unknown): SectionName[] {
	return records(value).flatMap(({ provider, key, id }) =>
		someText(provider) && someText(key) && someText(id) ? [{ provider: provider as string, key: key as string, id: id as string }] : [],
	);
}

function readSections(value: unknown): Section[] {
	return records(value).flatMap((raw) => {
		const [name] = readSectionNames([raw]);
		if (!name) return [];
		const section: Section = { ...name };
		const person = isRecord(raw.person) ? raw.person : {};
		const quote = someText(person.quote);
		if (quote) section.quote = quote;
		if (isRecord(person.entry) && someText(person.entry.type)) {
			section.entry = { type: text(person.entry.type), data: person.entry.data };
		}
		return [section];
	});
}

function readInjection(value: unknown): Injection | undefined {
	if (!isRecord(value) || !someText(value.text)) return undefined;
	return { text: text(value.text), tokens: number(value.tokens) ?? 0, sections: readSections(value.sections) };
}

function readDecision(value: unknown): Decision | undefined {
	if (!isRecord(value)) return undefined;
	if (value.block === true) return { block: true, reason: someText(value.reason) ?? "blocked by a ctxhost provider" };
	return { block: false, guidance: someText(value.guidance) };
}

function readRewrite(value: unknown): Rewrite | undefined {
	if (!isRecord(value)) return undefined;
	const keep = Array.isArray(value.keep) ? value.keep.filter(index) : undefined;
	const insert = records(value.insert).flatMap((raw) =>
		index(raw.before) && someText(raw.text) ? [{ before: raw.before, text: text(raw.text), sections: readSectionNames(raw.sections) }] : [],
	);
	return { keep, insert };
}

function readPatch(value: unknown): ResultPatch | undefined {
	if (!isRecord(value)) return undefined;
	const patch: ResultPatch = {};
	if (Array.isArray(value.content)) patch.content = records(value.content);
	if (value.details !== undefined && value.details !== null) patch.details = value.details;
	if (typeof value.is_error === "boolean") patch.isError = value.is_error;
	return Object.keys(patch).length > 0 ? patch : undefined;
}

function readMcpServers(value: unknown): McpServer[] {
	return records(value).flatMap((raw) => {
		const withdraw = raw.withdraw === true;
		if (!someText(raw.name) || !(withdraw || someText(raw.command))) return [];
		const ready = isRecord(raw.ready) ? raw.ready : {};
		const toolPrefix = someText(ready.tool_prefix);
		const server: McpServer = {
			provider: text(raw.provider),
			name: text(raw.name),
			withdraw,
			command: text(raw.command),
			args: texts(raw.args),
			exposure: someText(raw.exposure),
			timeoutSeconds: number(raw.timeout_s),
			ready: toolPrefix ? { toolPrefix, waitMs: number(ready.wait_ms) ?? 0 } : undefined,
		};
		return [server];
	});
}

export function readStatus(value: unknown): Status | undefined {
	if (!isRecord(value)) return undefined;
	return { text: text(value.text), detail: someText(value.detail) };
}

export function readFindings(value: unknown): Finding[] {
	return records(value).flatMap((raw) => {
		if (!someText(raw.message)) return [];
		const level: Level = raw.level === "error" || raw.level === "info" ? raw.level : "warning";
		return [{ level, provider: someText(raw.provider), code: text(raw.code), message: text(raw.message), hint: someText(raw.hint) }];
	});
}

export function readOutcome(value: unknown): Outcome {
	const raw = isRecord(value) ? value : {};
	const status = new Map<string, Status>();
	for (const [provider, one] of Object.entries(isRecord(raw.status) ? raw.status : {})) {
		const read = readStatus(one);
		if (read) status.set(provider, read);
	}
	return {
		injection: readInjection(raw.injection),
		call: readInjection(raw.call),
		decision: readDecision(raw.decision),
		messages: readRewrite(raw.messages),
		resultPatch: readPatch(raw.result_patch),
		mcpServers: readMcpServers(raw.mcp_servers),
		status,
		findings: readFindings(raw.findings),
	};
}

export function readTools(value: unknown): Tools {
	const raw = isRecord(value) ? value : {};
	const tools = records(raw.tools).flatMap((tool) =>
		someText(tool.name)
			? [
					{
						name: text(tool.name),
						provider: text(tool.provider),
						tool: someText(tool.tool) ?? text(tool.name),
						description: text(tool.description),
						schema: isRecord(tool.schema) ? tool.schema : { type: "object", properties: {} },
						guidelines: texts(tool.guidelines),
						active: tool.active !== false,
					},
				]
			: [],
	);
	const commands = records(raw.commands).flatMap((command) =>
		someText(command.provider) && someText(command.name)
			? [
					{
						provider: text(command.provider),
						name: text(command.name),
						slash: someText(command.slash)?.replace(/^\/+/, ""),
						summary: text(command.summary),
					},
				]
			: [],
	);
	const deadlines = new Map<string, number>();
	for (const [event, ms] of Object.entries(isRecord(raw.deadlines_ms) ? raw.deadlines_ms : {})) {
		if (typeof ms === "number" && ms >= 0) deadlines.set(event, ms);
	}
	return { tools, commands, deadlines, findings: readFindings(raw.findings) };
}

export function readCommandReply(value: unknown): CommandReply {
	const raw = isRecord(value) ? value : {};
	const choices = records(raw.choices).flatMap((choice) =>
		someText(choice.label) ? [{ label: text(choice.label), detail: someText(choice.detail), args: texts(choice.args) }] : [],
	);
	return { text: text(raw.text), exit: number(raw.exit) ?? 0, choices };
}

export function readToolReply(value: unknown): ToolReply {
	const raw = isRecord(value) ? value : {};
	const content = records(raw.content).flatMap((part): ToolReply["content"] => {
		if (part.type === "text") return [{ type: "text", text: text(part.text) }];
		if (part.type === "image" && someText(part.data)) {
			return [{ type: "image", data: text(part.data), mimeType: someText(part.mimeType) ?? "image/png" }];
		}
		return [];
	});
	return { content, structured: raw.structured, details: raw.details, isError: raw.is_error === true };
}
