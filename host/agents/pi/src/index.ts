/** The Pi extension: listens to Pi's events. Starts nothing itself, since Pi also loads extensions where no session begins. */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Bridge } from "./bridge.ts";
import { MESSAGE_TYPE } from "./records.ts";
import { isRecord } from "./wire.ts";

export default function ctxhost(pi: ExtensionAPI): void {
	const bridge = new Bridge(pi);

	pi.on("session_start", (event, ctx) => bridge.start(event.reason, ctx));
	pi.on("session_shutdown", (event) => bridge.shutdown(event.reason));
	pi.on("session_before_compact", async (event, ctx) => {
		bridge.sees(ctx);
		await bridge.compact("before", (event as { reason?: unknown }).reason);
	});
	pi.on("session_compact", async (event, ctx) => {
		bridge.sees(ctx);
		await bridge.compact("after", (event as { reason?: unknown }).reason);
	});
	pi.on("model_select", (_event, ctx) => {
		bridge.sees(ctx);
		bridge.modelChange();
	});

	pi.on("input", (event) => bridge.turns.input(event));
	pi.on("before_agent_start", (event, ctx) => {
		bridge.sees(ctx);
		bridge.guard.reset();
		return bridge.turns.prompt(event, ctx);
	});
	pi.on("context", (event, ctx) => {
		bridge.sees(ctx);
		return bridge.turns.modelCall(event);
	});
	pi.on("message_end", (event, ctx) => {
		const message: unknown = event.message;
		bridge.guard.hears(message);
		// Pi stores messages in order, so the user's own is part of the session when ours is about to be.
		if (isRecord(message) && message.role === "custom" && message.customType === MESSAGE_TYPE) bridge.quotes.store(ctx);
	});
	pi.on("agent_end", (event, ctx) => {
		bridge.sees(ctx);
		bridge.turns.end(event);
	});

	pi.on("tool_call", (event, ctx) => bridge.guard.before(event, ctx));
	pi.on("tool_result", (event, ctx) => bridge.guard.after(event, ctx));
}
