// Remakes languages.tsv from the npm package `linguist-languages`.
//
//   node update.mjs [version]        needs node 20 and npm
//
// What differs from the package on purpose stands in the tables below.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const VERSION = process.argv[2] ?? "9.5.0";

/** Ids that the rule in `idOf` would make clumsy; an id never changes once it is here, since it is stored. */
const IDS = {
  "Batchfile": "batch",
  "Dockerfile": "docker",
  "HTML+ERB": "erb",
  "HTML+EEX": "heex",
  "HTML+PHP": "phtml",
  "Protocol Buffer": "protobuf",
  "Protocol Buffer Text Format": "textproto",
  "Rocq Prover": "coq",
  "Vim script": "vim",
  "Visual Basic .NET": "vbnet",
  "Visual Basic 6.0": "vb6",
};

/** What a Markdown fence says where neither the id nor the rule in `fenceOf` does. */
const FENCES = {
  "Assembly": "asm",
  "Batchfile": "bat",
  "C#": "cs",
  "Common Lisp": "lisp",
  "Dockerfile": "dockerfile",
  "Emacs Lisp": "elisp",
  "Git Config": "ini",
  "HTML+ERB": "erb",
  "JSON with Comments": "jsonc",
  "Java Properties": "properties",
  "Java Server Pages": "jsp",
  "Jupyter Notebook": "json",
  "Objective-C": "objc",
  "Objective-C++": "objcpp",
  "Protocol Buffer": "protobuf",
  "Python traceback": "pytb",
  "Shell": "sh",
  "ShellSession": "console",
  "TeX": "latex",
  "Unix Assembly": "asm",
  "Vim script": "vim",
  "Visual Basic .NET": "vb",
  "reStructuredText": "rst",
};

/** Sorts that fit what the index does with a file better than the package's. */
const SORTS = {
  "Astro": "code",
  "Gradle": "code",
  "GraphQL": "code",
  "Protocol Buffer": "code",
  "SQL": "code",
  "Svelte": "code",
  "Vue": "code",
};

/** Left out: they only tell one use of JSON, YAML or Kotlin from another. */
const DROPPED = new Set(["OASv2-json", "OASv2-yaml", "OASv3-json", "OASv3-yaml", "MiniYAML", "Gradle Kotlin DSL"]);

/** Languages and parts of them that the package lacks. */
const ADDED = [
  {
    name: "JSX", type: "programming", extensions: [".jsx"], aliases: ["javascriptreact"], fence: "jsx",
    insteadOf: "JavaScript",
  },
  { name: "Kconfig", type: "data", filenames: ["Kconfig"] },
];
const MORE = {
  "C++": { extensions: [".cu.h", ".mpp"] },
  "Cuda": { aliases: ["cu"] },
  "Dockerfile": { filenames: ["Containerfile", "dockerfile"], aliases: ["docker"] },
  "Java Properties": { aliases: ["properties"] },
  "JavaScript": { extensions: [".cjs", ".mjs"] },
  "Just": { filenames: [".justfile"] },
  "Makefile": { filenames: ["GNUmakefile"] },
  "Perl": { filenames: ["cpanfile"] },
  "Ruby": { filenames: ["Vagrantfile", "Fastfile", "Dangerfile"] },
  "Shell": { filenames: [".bash_login", ".envrc", ".xprofile", ".xinitrc"], aliases: ["sh", "bash", "zsh"] },
  "TypeScript": { extensions: [".mts", ".cts"] },
};

const SORT = { programming: "code", data: "data", markup: "markup", prose: "prose" };

function idOf(name) {
  const spelled = name.toLowerCase().replaceAll("#", "sharp").replaceAll("++", "pp").replaceAll("*", "star");
  return IDS[name] ?? spelled.replaceAll("'", "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
}

/** A one-word name is its own fence; else the first alias, which the package sorts by use. */
function fenceOf(language) {
  const id = idOf(language.name);
  return language.fence ?? FENCES[language.name]
    ?? (/^[a-z0-9]+$/.test(id) ? id : language.aliases?.[0] ?? id).toLowerCase().replaceAll(" ", "-");
}

function row(language) {
  const more = MORE[language.name] ?? {};
  const of = (field) => [...new Set([...(language[field] ?? []), ...(more[field] ?? [])])];
  const taken = ADDED.filter((added) => added.insteadOf === language.name).flatMap((added) => added.extensions);
  const extensions = of("extensions").filter((each) => !taken.includes(each)).map((each) => each.slice(1).toLowerCase());
  const aliases = of("aliases").map((each) => each.toLowerCase().replaceAll(" ", "-"));
  return [
    idOf(language.name), language.name, SORTS[language.name] ?? SORT[language.type], fenceOf(language),
    [...new Set(extensions)].join(" "), of("filenames").join("/"), of("interpreters").join(" "), aliases.join(" "),
  ].join("\t");
}

const scratch = mkdtempSync(join(tmpdir(), "languages-"));
try {
  const npm = ["install", "--silent", "--ignore-scripts", "--prefix", scratch, `linguist-languages@${VERSION}`];
  execFileSync("npm", npm, { stdio: "inherit" });
  const index = join(scratch, "node_modules/linguist-languages/index.js");
  const languages = Object.values(await import(pathToFileURL(index))).filter((each) => !DROPPED.has(each.name));
  const rows = [...languages, ...ADDED].map(row).sort((a, b) => {
    const [left, right] = [a.split("\t")[0], b.split("\t")[0]];
    return left < right ? -1 : left > right ? 1 : 0;
  });
  const here = dirname(fileURLToPath(import.meta.url));
  writeFileSync(join(here, "languages.tsv"), rows.join("\n") + "\n");
} finally {
  rmSync(scratch, { recursive: true });
}
