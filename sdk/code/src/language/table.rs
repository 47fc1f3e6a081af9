//! The languages, read once from the data file.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::Language;

/// What a language is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Code,
    Data,
    Markup,
    Prose,
}

/// A line of the data file.
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) sort: Sort,
    pub(super) fence: &'static str,
    extensions: &'static str,
    filenames: &'static str,
    interpreters: &'static str,
    aliases: &'static str,
}

impl Row {
    /// Without their first dot, in lower case.
    pub(super) fn extensions(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.extensions.split_ascii_whitespace()
    }

    pub(super) fn filenames(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.filenames.split('/').filter(|name| !name.is_empty())
    }

    pub(super) fn interpreters(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.interpreters.split_ascii_whitespace()
    }

    pub(super) fn aliases(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.aliases.split_ascii_whitespace()
    }
}

/// The languages by what they are recognized by.
pub(super) struct Table {
    rows: Vec<Row>,
    extensions: FxHashMap<&'static str, Vec<Language>>,
    filenames: FxHashMap<&'static str, Language>,
    interpreters: FxHashMap<&'static str, Vec<Language>>,
    aliases: FxHashMap<String, Language>,
}

/// Gives the table; the first call reads it, in well under a millisecond.
pub(super) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(include_str!("languages.tsv")))
}

impl Table {
    fn read(text: &'static str) -> Table {
        let rows: Vec<Row> = text.lines().map(row).collect();
        let mut table = Table {
            extensions: FxHashMap::default(),
            filenames: FxHashMap::default(),
            interpreters: FxHashMap::default(),
            aliases: FxHashMap::default(),
            rows: Vec::new(),
        };
        for (place, row) in (0..).zip(&rows) {
            let language = Language(place);
            row.extensions().for_each(|each| table.extensions.entry(each).or_default().push(language));
            row.interpreters().for_each(|each| table.interpreters.entry(each).or_default().push(language));
            for name in row.filenames() {
                table.filenames.entry(name).or_insert(language);
            }
        }
        table.name(&rows);
        table.rows = rows;
        table
    }

    /// Fills the aliases; where two languages claim one, an id goes before a name, that before a fence, and so on.
    fn name(&mut self, rows: &[Row]) {
        let mut claim = |names: &dyn Fn(&Row) -> Vec<String>| {
            for (place, row) in (0..).zip(rows) {
                for name in names(row) {
                    self.aliases.entry(name).or_insert(Language(place));
                }
            }
        };
        claim(&|row| vec![row.id.to_owned()]);
        claim(&|row| vec![row.name.to_ascii_lowercase()]);
        claim(&|row| vec![row.fence.to_owned()]);
        claim(&|row| row.aliases().map(str::to_owned).collect());
    }

    pub(super) fn len(&self) -> u16 {
        u16::try_from(self.rows.len()).expect("the data file has some hundred lines")
    }

    pub(super) fn row(&self, language: Language) -> &Row {
        &self.rows[usize::from(language.0)]
    }

    pub(super) fn of_id(&self, id: &str) -> Option<Language> {
        let place = self.rows.binary_search_by_key(&id, |row| row.id).ok()?;
        u16::try_from(place).ok().map(Language)
    }

    pub(super) fn named(&self, name: &str) -> Option<Language> {
        let name = name.to_lowercase();
        let by_extension = || self.with_extension(name.trim_start_matches('.')).first().copied();
        self.with_alias(&name).or_else(by_extension)
    }

    /// Gives the language that is called `name`, which is in lower case.
    pub(super) fn with_alias(&self, name: &str) -> Option<Language> {
        self.aliases.get(name).copied()
    }

    /// Gives every language that uses an extension, which is in lower case and without its dot.
    pub(super) fn with_extension(&self, extension: &str) -> &[Language] {
        self.extensions.get(extension).map_or(&[], Vec::as_slice)
    }

    pub(super) fn with_filename(&self, name: &str) -> Option<Language> {
        self.filenames.get(name).copied()
    }

    pub(super) fn with_interpreter(&self, name: &str) -> &[Language] {
        self.interpreters.get(name).map_or(&[], Vec::as_slice)
    }
}

fn row(line: &'static str) -> Row {
    let mut cells = line.split('\t');
    let mut next = || cells.next().expect("a line of the data file has eight cells");
    let (id, name) = (next(), next());
    let sort = match next() {
        "code" => Sort::Code,
        "data" => Sort::Data,
        "markup" => Sort::Markup,
        _ => Sort::Prose,
    };
    Row {
        id,
        name,
        sort,
        fence: next(),
        extensions: next(),
        filenames: next(),
        interpreters: next(),
        aliases: next(),
    }
}
