// Checks the sources against Pi's real types: `node test/types.mjs [VERSION...]`.
// Everything is installed in a scratch folder, so that this package stays without dependencies.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST = "0.74.2"; // The last one that runs on node 20.
const here = dirname(dirname(fileURLToPath(import.meta.url)));
const versions = process.argv.slice(2).length > 0 ? process.argv.slice(2) : [OLDEST, "latest"];

function run(program, args, cwd) {
	return spawnSync(program, args, { cwd, stdio: "inherit" }).status === 0;
}

let failed = 0;
for (const version of versions) {
	const scratch = mkdtempSync(join(tmpdir(), "ctxhost-pi-types-"));
	writeFileSync(join(scratch, "package.json"), '{"private":true,"type":"module"}');
	for (const part of ["src", "test", "tsconfig.json"]) cpSync(join(here, part), join(scratch, part), { recursive: true });
	const packages = [`@earendil-works/pi-coding-agent@${version}`, "typescript@5.9.3", "@types/node@22"];
	const ok =
		run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", ...packages], scratch) &&
		run(process.execPath, [join(scratch, "node_modules/typescript/bin/tsc"), "--project", scratch], scratch);
	console.log(`types against Pi ${version}: ${ok ? "ok" : "failed"}`);
	if (!ok) failed++;
	rmSync(scratch, { recursive: true, force: true });
}
console.log(`${versions.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
