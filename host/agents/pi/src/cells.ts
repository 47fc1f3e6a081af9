/** Text in terminal cells. Pi ends when a line is wider than the screen, so widths here are never too small. */

/** Without what a terminal would obey: control characters, escape sequences, bidirectional overrides. */
export function plain(text: string): string {
	return text
		.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g, "")
		.replace(/\t/g, "  ")
		.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** An upper bound: everything beyond the alphabets, and what no rule covers, counts two cells. */
function cells(character: string): number {
	const point = character.codePointAt(0) ?? 0;
	return point < 0x1100 || (point >= 0x2010 && point <= 0x2027) || (point >= 0x2190 && point <= 0x2193) || (point >= 0xe000 && point <= 0xf8ff) ? 1 : 2;
}

export function width(text: string): number {
	let total = 0;
	for (const character of text) total += cells(character);
	return total;
}

/** The text, or as much of it as fits with an ellipsis behind it. */
export function clip(text: string, limit: number): string {
	if (width(text) <= limit) return text;
	let room = limit - 2;
	let kept = "";
	for (const character of text) {
		room -= cells(character);
		if (room < 0) break;
		kept += character;
	}
	return limit >= 2 ? `${kept}…` : "";
}

/** Puts one text at the left edge and one at the right; the left one gives way last. */
export function justify(left: string, right: string, limit: number): { left: string; gap: string; right: string } {
	const shownLeft = clip(left, limit);
	const room = limit - width(shownLeft) - 2;
	const shownRight = room >= 2 ? clip(right, room) : "";
	return { left: shownLeft, gap: " ".repeat(Math.max(0, limit - width(shownLeft) - width(shownRight))), right: shownRight };
}
