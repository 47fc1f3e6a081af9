//! What a query finds in a tree, by role and place, before anything is made of it.

use std::ops::ControlFlow;

use tree_sitter::{Node, QueryCapture, QueryCursor, QueryCursorOptions, StreamingIterator};

use super::{Kind, Visibility};
use crate::grammar::{Compiled, Role};

/// Bytes of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bytes {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Bytes {
    pub(super) fn of(node: Node<'_>) -> Bytes {
        // A file has at most `BYTES_CAP` bytes, so its places fit.
        let range = node.byte_range();
        Bytes { start: range.start as u32, end: range.end as u32 }
    }

    pub(super) fn slice(self, source: &[u8]) -> &[u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    pub(super) fn text(self, source: &[u8]) -> Option<&str> {
        std::str::from_utf8(self.slice(source)).ok()
    }
}

/// A definition as a pattern found it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub(super) bytes: Bytes,
    pub(super) name: Bytes,
    pub(super) owner: Option<Bytes>,
    pub(super) body: Option<u32>,
    pub(super) kind: Kind,
    /// The place of its pattern in the query; of two that find the same name, the earlier is right.
    pub(super) pattern: u32,
    /// Whether a method sets it on its instance.
    pub(super) instance: bool,
    /// Whether it is a scope too: a definition that belongs to what it names, such as Rust's `impl`.
    pub(super) scope: bool,
}

/// What stands before a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    pub(super) bytes: Bytes,
    pub(super) comment: bool,
}

/// Everything found in a file; the buffers are used again for the next.
#[derive(Debug, Default)]
pub(super) struct Finds {
    pub(super) definitions: Vec<Definition>,
    /// A scope and its name; a closed function has none.
    pub(super) scopes: Vec<(Bytes, Option<Bytes>)>,
    pub(super) docs: Vec<Bytes>,
    pub(super) leads: Vec<Lead>,
    pub(super) references: Vec<Bytes>,
    pub(super) locals: Vec<(Bytes, bool)>,
    pub(super) ignored: Vec<Bytes>,
    pub(super) imports: Vec<Bytes>,
    pub(super) marks: Vec<(u32, Visibility)>,
    pub(super) sections: Vec<(u32, Visibility)>,
    pub(super) exports: Vec<Bytes>,
    pub(super) exported: Vec<Bytes>,
    pub(super) only: Vec<Bytes>,
    /// The node that was asked for its body last, and what it said.
    body: Option<(usize, Option<u32>)>,
}

impl Finds {
    pub(super) fn clear(&mut self) {
        let Finds { definitions, scopes, docs, leads, references, locals, .. } = self;
        definitions.clear();
        scopes.clear();
        docs.clear();
        leads.clear();
        references.clear();
        locals.clear();
        let Finds { ignored, imports, marks, sections, exports, exported, only, .. } = self;
        ignored.clear();
        imports.clear();
        marks.clear();
        sections.clear();
        exports.clear();
        exported.clear();
        only.clear();
        // Nodes are told apart by address, and the next tree has others.
        self.body = None;
    }

    /// Runs the query over a tree until it has reported so often. Matches come by where they end, so everything is put in order at the end.
    pub(super) fn collect(
        &mut self,
        compiled: &Compiled,
        cursor: &mut QueryCursor,
        root: Node<'_>,
        source: &[u8],
        reports: &mut usize,
    ) {
        let mut report = |_: &_| {
            *reports = reports.saturating_sub(1);
            if *reports == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut report);
        let mut matches = cursor.matches_with_options(&compiled.query, root, source, options);
        while let Some(found) = matches.next() {
            match found.captures() {
                [capture] => self.single(compiled, capture),
                captures => self.several(compiled, found.pattern_index as u32, captures),
            }
        }
        drop(matches);
        self.sort();
    }

    fn single(&mut self, compiled: &Compiled, capture: &QueryCapture<'_>) {
        let role = compiled.roles[capture.index as usize];
        match role {
            Role::Reference => self.references.push(Bytes::of(capture.node)),
            Role::Closed => self.scopes.push((Bytes::of(capture.node), None)),
            role => self.mark(role, Bytes::of(capture.node)),
        }
    }

    fn several(&mut self, compiled: &Compiled, pattern: u32, captures: &[QueryCapture<'_>]) {
        let mut definition = None;
        let mut scope = None;
        let (mut name, mut owner, mut body) = (None, None, None);
        for capture in captures {
            let bytes = Bytes::of(capture.node);
            match compiled.roles[capture.index as usize] {
                Role::Definition(kind) => definition = Some((capture.node, kind, false)),
                Role::InstanceField => definition = Some((capture.node, Kind::Field, true)),
                Role::Scope => scope = Some(bytes),
                Role::Closed => self.scopes.push((bytes, None)),
                Role::Name => name = Some(bytes),
                Role::Owner => owner = Some(bytes),
                Role::Body => body = Some(bytes.start),
                Role::Reference => self.references.push(bytes),
                role => self.mark(role, bytes),
            }
        }
        if let (Some((node, kind, instance)), Some(name)) = (definition, name) {
            let body = body.or_else(|| self.body(compiled, node));
            self.definitions.push(Definition {
                bytes: Bytes::of(node),
                name,
                owner,
                body,
                kind,
                pattern,
                instance,
                scope: scope.is_some(),
            });
        } else if let Some(scope) = scope {
            self.scopes.push((scope, name));
        }
    }

    /// Gives where the body of a definition begins. `int a, b, c;` asks the same node for each name, and a node walks all
    /// its children to answer.
    fn body(&mut self, compiled: &Compiled, node: Node<'_>) -> Option<u32> {
        if let Some((_, said)) = self.body.filter(|(asked, _)| *asked == node.id()) {
            return said;
        }
        let field = || Some(node.child_by_field_id(compiled.body?)?.start_byte() as u32);
        let said = field();
        self.body = Some((node.id(), said));
        said
    }

    fn mark(&mut self, role: Role, bytes: Bytes) {
        match role {
            Role::Doc => self.docs.push(bytes),
            Role::Comment => self.leads.push(Lead { bytes, comment: true }),
            Role::Attribute => self.leads.push(Lead { bytes, comment: false }),
            Role::Local => self.locals.push((bytes, false)),
            Role::LocalType => self.locals.push((bytes, true)),
            Role::Ignore => self.ignored.push(bytes),
            Role::Import => self.imports.push(bytes),
            Role::Mark(visibility) => self.marks.push((bytes.start, visibility)),
            Role::Section(visibility) => self.sections.push((bytes.start, visibility)),
            Role::Export => self.exports.push(bytes),
            Role::ExportName => self.exported.push(bytes),
            Role::ExportOnly => self.only.push(bytes),
            Role::Definition(_) | Role::InstanceField | Role::Scope | Role::Closed => {}
            Role::Name | Role::Owner | Role::Body | Role::Reference | Role::Nothing => {}
        }
    }

    fn sort(&mut self) {
        // Nearly in order already, which the sort makes use of.
        self.references.sort();
        self.references.dedup();
        self.locals.sort();
        self.leads.sort_by_key(|lead| lead.bytes);
        self.docs.sort();
        self.marks.sort();
        self.sections.sort();
        self.exports.sort();
        self.imports.sort();
        self.imports.dedup();
        self.merge_definitions();
    }

    /// Makes one of the functions of one name that stand below each other, with nothing else defined between them.
    pub(super) fn join_clauses(&mut self, source: &[u8]) {
        let mut joined: Vec<Definition> = Vec::with_capacity(self.definitions.len());
        let mut around: Vec<usize> = Vec::new();
        for one in self.definitions.drain(..) {
            let mut beside = None;
            while let Some(ended) = around.pop_if(|place| joined[*place].bytes.end <= one.bytes.start) {
                beside = Some(ended);
            }
            let clause = beside.filter(|place| {
                let first = &joined[*place];
                first.kind == one.kind && first.name.slice(source) == one.name.slice(source)
            });
            if let Some(place) =
                clause.filter(|_| matches!(one.kind, Kind::Function | Kind::Method | Kind::Macro))
            {
                let first = &mut joined[place];
                first.bytes.end = one.bytes.end;
                first.body = first.body.or(one.body);
                self.ignored.push(one.name);
                around.push(place);
            } else {
                around.push(joined.len());
                joined.push(one);
            }
        }
        self.definitions = joined;
    }

    /// Makes one of the definitions that were found for the same name.
    fn merge_definitions(&mut self) {
        self.definitions.sort_by_key(|one| (one.name.start, one.pattern));
        self.definitions.dedup_by(|later, first| {
            let same = later.name.start == first.name.start;
            if same {
                first.bytes.start = first.bytes.start.min(later.bytes.start);
                first.bytes.end = first.bytes.end.max(later.bytes.end);
                first.body = first.body.or(later.body);
            }
            same
        });
    }
}
