//! `.pi-map.index.md`: what to open next.

use super::{FILES, KEY_SYMBOLS, ROUTES, Whole, as_dir};
use crate::select::{
    inventory::FileFacts,
    pair::{Heading, Item, Page, Part, Role},
    workflows,
};

/// How many tags stand with a route.
const ROUTE_TAGS: usize = 3;

impl Whole<'_> {
    pub(crate) fn index(&self, pair: usize) -> Page {
        let tags = Item { tags: self.tags[pair].clone(), ..Item::default() };
        let tags = if tags.tags.is_empty() { Vec::new() } else { vec![tags] };
        let parts = vec![
            Self::part(Heading::Tags, tags, 1),
            Self::part(Heading::Routes, self.routes(pair), ROUTES),
            self.files_part(pair),
            Self::part(Heading::Workflows, self.workflows(pair), self.config.workflow_hint_cap),
        ];
        self.page(pair, parts)
    }

    fn routes(&self, pair: usize) -> Vec<Item> {
        let route = |below: &u32| {
            let dir = self.dir(*below as usize);
            let tags = self.tags[*below as usize]
                .iter()
                .take(ROUTE_TAGS.min(self.config.tag_cap))
                .cloned()
                .collect();
            let text = self.purposes[*below as usize].clone();
            Item { path: as_dir(dir.path), count: dir.all, text, tags, ..Item::default() }
        };
        self.below[pair].iter().map(route).collect()
    }

    /// Files and families by role; within a role those of the directory itself come first.
    fn files_part(&self, pair: usize) -> Option<Part> {
        let own = self.dir(pair).path;
        let alone = self.files[pair]
            .iter()
            .filter(|file| !self.families.has[**file as usize] && !is_mark(self.tree.file(**file)));
        let alone = alone.map(|file| self.file_item(*file));
        let alike = self.alike[pair].iter().map(|at| {
            let family = &self.families.list[*at as usize];
            let (path, text) = (family.pattern.clone(), family.text.clone());
            Item { path, role: Some(family.role), count: family.count, text, ..Item::default() }
        });
        let mut items: Vec<Item> = alone.chain(alike).collect();
        let deep = |item: &Item| item.path[own.len()..].trim_matches('/').matches('/').count();
        items.sort_by_cached_key(|item| (item.role, deep(item), item.path.clone()));
        Self::part(Heading::Files, items, FILES)
    }

    fn file_item(&self, at: u32) -> Item {
        let file = self.tree.file(at);
        let role = self.roles[at as usize];
        let described = matches!(role, Role::Entry | Role::Source);
        let symbols: Vec<_> =
            file.symbols.iter().filter(|_| described && !file.secret).take(KEY_SYMBOLS).cloned().collect();
        // What says the most in few words: names of definitions, or else a sentence.
        let text = if symbols.is_empty() { self.file_text(at) } else { String::new() };
        Item { path: file.path.clone(), role: Some(role), text, symbols, ..Item::default() }
    }

    /// What is said of a file in one line.
    pub(super) fn file_text(&self, at: u32) -> String {
        let file = self.tree.file(at);
        if file.secret || file.foreign {
            return String::new();
        }
        match &file.manifest {
            Some(manifest) if !manifest.description.is_empty() => manifest.description.clone(),
            Some(manifest) if !manifest.name.is_empty() => format!("{} {}", manifest.kind, manifest.name),
            _ => file.purpose.clone(),
        }
    }

    /// What to run comes first, and leaves room for what to change.
    fn workflows(&self, pair: usize) -> Vec<Item> {
        let most = self.config.workflow_hint_cap;
        let manifests = self.manifests.get(self.dir(pair).path).map_or(&[][..], Vec::as_slice);
        let run = workflows::to_run(manifests, pair == 0);
        let code = |file: &&u32| matches!(self.roles[**file as usize], Role::Source | Role::Entry);
        let change = self.key[pair].iter().filter(code).take(4 * most);
        let near = |file: u32| self.folding.cover[self.tree.home[file as usize] as usize] == pair as u32;
        let change: Vec<Item> = change
            .filter_map(|file| workflows::to_change(self.tree, self.links, self.tests, *file, &near))
            .take(most)
            .collect();
        let room = most.saturating_sub(change.len().min(most.div_ceil(3)));
        run.into_iter().take(room).chain(change).take(most).collect()
    }
}

/// A file that is there for its name alone, such as an empty `__init__.py`.
fn is_mark(file: &FileFacts) -> bool {
    file.bytes == 0 && !file.secret
}
