//! The status: a glyph for the editor and one for the language, or the same in plain ASCII.
//!
//! Code points are those of Nerd Fonts 3.4.0.

use std::path::Path;

use ctxhost_sdk::protocol::ide_context::State;

use crate::{
    select::snapshot::Shows,
    settings::Glyphs,
    shape::words::{clipped, plain},
};

/// A generic editor: nothing is connected, or nobody knows the editor.
const EDITOR: Mark = Mark { glyph: '\u{EAE3}', ascii: "ide" };

/// A file whose language nobody knows.
const FILE: Mark = Mark { glyph: '\u{EB60}', ascii: "file" };

/// A table.
const TABLE: Mark = Mark { glyph: '\u{E706}', ascii: "sql" };

/// The longest name of an unknown editor or language in an ASCII status.
const LONGEST_NAME: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    glyph: char,
    ascii: &'static str,
}

const fn mark(glyph: char, ascii: &'static str) -> Mark {
    Mark { glyph, ascii }
}

/// The status while no editor is connected.
pub(crate) fn disconnected(glyphs: Glyphs) -> String {
    match glyphs {
        Glyphs::Nerd => EDITOR.glyph.to_string(),
        Glyphs::Ascii => EDITOR.ascii.to_owned(),
    }
}

/// The status of a connected editor.
pub(crate) fn connected(state: &State, shows: Shows<'_>, glyphs: Glyphs) -> String {
    let editor = editor(state.product.as_deref(), &state.app);
    let content = match shows {
        Shows::Nothing(_) => None,
        Shows::Table(_) => Some(Ok(TABLE)),
        Shows::File(file) => Some(language(state.active_buffer.language.as_deref(), &file.path)),
    };
    match glyphs {
        Glyphs::Nerd => {
            let editor = editor.unwrap_or(EDITOR).glyph;
            let content = content.map(|content| content.unwrap_or(FILE).glyph);
            content.map_or_else(|| editor.to_string(), |content| format!("{editor}{content}"))
        }
        Glyphs::Ascii => {
            let name = |mark: Result<Mark, &str>, unknown: Mark| match mark {
                Ok(mark) => mark.ascii.to_owned(),
                Err(name) => {
                    Some(ascii(name)).filter(|name| !name.is_empty()).unwrap_or(unknown.ascii.to_owned())
                }
            };
            let editor = name(editor, EDITOR);
            content.map_or_else(|| editor.clone(), |content| format!("{editor}:{}", name(content, FILE)))
        }
    }
}

fn ascii(name: &str) -> String {
    let name: String = plain(name).to_ascii_lowercase();
    name.chars().filter(|c| c.is_ascii_alphanumeric() || "+#-_.".contains(*c)).take(LONGEST_NAME).collect()
}

/// The name of an editor for a person: its product, else its kind.
pub(crate) fn display_name(state: &State) -> String {
    let product = state.product.as_deref().map(plain).filter(|product| !product.is_empty());
    clipped(&product.unwrap_or_else(|| plain(&state.app)), 40)
}

/// A product may have an edition behind its name, as in `PyCharm Community Edition`.
fn editor<'a>(product: Option<&'a str>, app: &'a str) -> Result<Mark, &'a str> {
    let product = product.unwrap_or_default().to_ascii_lowercase();
    PRODUCTS
        .iter()
        .find(|(name, _)| {
            product.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
        .or_else(|| APPS.iter().find(|(name, _)| *name == app))
        .map(|(_, mark)| *mark)
        .ok_or(app)
}

/// The language by the editor's own id; failing that by the file's ending.
fn language<'a>(id: Option<&'a str>, file: &str) -> Result<Mark, &'a str> {
    let id = id.unwrap_or_default();
    let known = |name: &str, table: &[(&str, Mark)]| {
        table.iter().find(|(known, _)| *known == name).map(|(_, mark)| *mark)
    };
    let ending = || {
        let path = Path::new(file);
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        known(&name, FILE_NAMES).or_else(|| known(&ending?, ENDINGS))
    };
    known(&id.to_ascii_lowercase(), LANGUAGES).or_else(ending).ok_or(id)
}

const APPS: &[(&str, Mark)] = &[
    ("nvim", mark('\u{E6AE}', "nvim")),
    ("vscode", mark('\u{E8DA}', "vscode")),
    ("jetbrains", mark('\u{E808}', "jetbrains")),
    // Obsidian has no glyph; what it edits has.
    ("obsidian", mark('\u{E73E}', "obsidian")),
];

const PRODUCTS: &[(&str, Mark)] = &[
    ("intellij idea", mark('\u{E7B5}', "idea")),
    ("idea", mark('\u{E7B5}', "idea")),
    ("webstorm", mark('\u{E8E4}', "webstorm")),
    ("pycharm", mark('\u{E877}', "pycharm")),
    ("clion", mark('\u{E78E}', "clion")),
    ("rider", mark('\u{E88F}', "rider")),
    ("goland", mark('\u{E7EF}', "goland")),
    ("phpstorm", mark('\u{E862}', "phpstorm")),
    ("rubymine", mark('\u{E896}', "rubymine")),
    ("datagrip", mark('\u{E7BD}', "datagrip")),
    ("android studio", mark('\u{E71A}', "studio")),
    // RustRover has no glyph; what it edits has.
    ("rustrover", mark('\u{E7A8}', "rustrover")),
];

const LANGUAGES: &[(&str, Mark)] = &[
    ("typescript", mark('\u{E8CA}', "ts")),
    ("typescriptreact", mark('\u{E7BA}', "tsx")),
    ("javascript", mark('\u{E781}', "js")),
    ("javascriptreact", mark('\u{E7BA}', "jsx")),
    ("rust", mark('\u{E7A8}', "rs")),
    ("python", mark('\u{E73C}', "py")),
    ("go", mark('\u{E724}', "go")),
    ("java", mark('\u{E738}', "java")),
    ("kotlin", mark('\u{E81B}', "kt")),
    ("scala", mark('\u{E737}', "scala")),
    ("c", mark('\u{E771}', "c")),
    ("cpp", mark('\u{E7A3}', "cpp")),
    ("csharp", mark('\u{E7B2}', "cs")),
    ("cs", mark('\u{E7B2}', "cs")),
    ("fsharp", mark('\u{E7A7}', "fs")),
    ("ruby", mark('\u{E739}', "rb")),
    ("php", mark('\u{E73D}', "php")),
    ("swift", mark('\u{E755}', "swift")),
    ("lua", mark('\u{E826}', "lua")),
    ("perl", mark('\u{E769}', "pl")),
    ("r", mark('\u{E881}', "r")),
    ("sh", mark('\u{E760}', "sh")),
    ("bash", mark('\u{E760}', "sh")),
    ("zsh", mark('\u{E760}', "sh")),
    ("shellscript", mark('\u{E760}', "sh")),
    ("powershell", mark('\u{E86C}', "ps1")),
    ("ps1", mark('\u{E86C}', "ps1")),
    ("html", mark('\u{E736}', "html")),
    ("css", mark('\u{E749}', "css")),
    ("json", mark('\u{E80B}', "json")),
    ("jsonc", mark('\u{E80B}', "json")),
    ("yaml", mark('\u{E8EB}', "yaml")),
    ("toml", mark('\u{E6B2}', "toml")),
    ("markdown", mark('\u{E73E}', "md")),
    ("vue", mark('\u{E8DC}', "vue")),
    ("svelte", mark('\u{E8B7}', "svelte")),
    ("graphql", mark('\u{E7F4}', "graphql")),
    ("terraform", mark('\u{E8BD}', "tf")),
    ("dockerfile", mark('\u{E7B0}', "docker")),
    ("haskell", mark('\u{E777}', "hs")),
    ("elixir", mark('\u{E7CD}', "ex")),
    ("erlang", mark('\u{E7B1}', "erl")),
    ("ocaml", mark('\u{E84E}', "ml")),
    ("clojure", mark('\u{E768}', "clj")),
    ("zig", mark('\u{E8EF}', "zig")),
    ("dart", mark('\u{E798}', "dart")),
    ("julia", mark('\u{E80D}', "jl")),
    ("sql", mark('\u{E706}', "sql")),
];

const FILE_NAMES: &[(&str, Mark)] = &[("dockerfile", mark('\u{E7B0}', "docker"))];

const ENDINGS: &[(&str, Mark)] = &[
    ("ts", mark('\u{E8CA}', "ts")),
    ("mts", mark('\u{E8CA}', "ts")),
    ("cts", mark('\u{E8CA}', "ts")),
    ("tsx", mark('\u{E7BA}', "tsx")),
    ("js", mark('\u{E781}', "js")),
    ("mjs", mark('\u{E781}', "js")),
    ("cjs", mark('\u{E781}', "js")),
    ("jsx", mark('\u{E7BA}', "jsx")),
    ("rs", mark('\u{E7A8}', "rs")),
    ("py", mark('\u{E73C}', "py")),
    ("go", mark('\u{E724}', "go")),
    ("java", mark('\u{E738}', "java")),
    ("kt", mark('\u{E81B}', "kt")),
    ("kts", mark('\u{E81B}', "kt")),
    ("scala", mark('\u{E737}', "scala")),
    ("c", mark('\u{E771}', "c")),
    ("h", mark('\u{E771}', "c")),
    ("cpp", mark('\u{E7A3}', "cpp")),
    ("cc", mark('\u{E7A3}', "cpp")),
    ("cxx", mark('\u{E7A3}', "cpp")),
    ("hpp", mark('\u{E7A3}', "cpp")),
    ("cs", mark('\u{E7B2}', "cs")),
    ("fs", mark('\u{E7A7}', "fs")),
    ("rb", mark('\u{E739}', "rb")),
    ("php", mark('\u{E73D}', "php")),
    ("swift", mark('\u{E755}', "swift")),
    ("lua", mark('\u{E826}', "lua")),
    ("pl", mark('\u{E769}', "pl")),
    ("r", mark('\u{E881}', "r")),
    ("sh", mark('\u{E760}', "sh")),
    ("bash", mark('\u{E760}', "sh")),
    ("zsh", mark('\u{E760}', "sh")),
    ("ps1", mark('\u{E86C}', "ps1")),
    ("html", mark('\u{E736}', "html")),
    ("htm", mark('\u{E736}', "html")),
    ("css", mark('\u{E749}', "css")),
    ("json", mark('\u{E80B}', "json")),
    ("yaml", mark('\u{E8EB}', "yaml")),
    ("yml", mark('\u{E8EB}', "yaml")),
    ("toml", mark('\u{E6B2}', "toml")),
    ("md", mark('\u{E73E}', "md")),
    ("vue", mark('\u{E8DC}', "vue")),
    ("svelte", mark('\u{E8B7}', "svelte")),
    ("graphql", mark('\u{E7F4}', "graphql")),
    ("tf", mark('\u{E8BD}', "tf")),
    ("hs", mark('\u{E777}', "hs")),
    ("ex", mark('\u{E7CD}', "ex")),
    ("exs", mark('\u{E7CD}', "ex")),
    ("erl", mark('\u{E7B1}', "erl")),
    ("ml", mark('\u{E84E}', "ml")),
    ("clj", mark('\u{E768}', "clj")),
    ("zig", mark('\u{E8EF}', "zig")),
    ("dart", mark('\u{E798}', "dart")),
    ("jl", mark('\u{E80D}', "jl")),
    ("sql", mark('\u{E706}', "sql")),
];

#[cfg(test)]
mod tests;
