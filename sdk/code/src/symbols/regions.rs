//! How definitions lie in each other.

use super::{
    Kind, NESTING_CAP, Visibility,
    finds::{Bytes, Definition, Finds},
};

/// No region.
pub(super) const NONE: u32 = u32::MAX;

/// A part of the file that something is defined in.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) bytes: Bytes,
    /// The innermost region around it, or `NONE`.
    pub(super) parent: u32,
    pub(super) what: What,
    pub(super) mark: Option<Visibility>,
    depth: u32,
}

/// What makes a region.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// A definition, as an index into the finds.
    Definition { find: u32, kind: Kind, instance: bool, scope: bool },
    /// A node that only lends its name.
    Scope { name: Bytes },
    /// A function without a name.
    Closed,
}

impl Region {
    /// Whether what is bound in it is local.
    pub(super) fn is_function(&self) -> bool {
        match self.what {
            What::Definition { kind, .. } => {
                matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
            }
            What::Closed => true,
            What::Scope { .. } => false,
        }
    }

    /// Whether functions in it are methods.
    pub(super) fn is_type(&self) -> bool {
        match self.what {
            What::Definition { scope: true, .. } | What::Scope { .. } => true,
            What::Definition { kind, .. } => matches!(
                kind,
                Kind::Class
                    | Kind::Struct
                    | Kind::Union
                    | Kind::Enum
                    | Kind::Interface
                    | Kind::Trait
                    | Kind::Variant
            ),
            What::Closed => false,
        }
    }
}

/// The regions of a file, by where they begin; an outer one before the inner ones.
#[derive(Debug, Default)]
pub(super) struct Regions {
    pub(super) list: Vec<Region>,
    /// Whether some were left out because they lie too deep.
    pub(super) too_deep: bool,
}

impl Regions {
    /// Lays out what was found. A value that is bound in a function is no region: it joins the locals.
    pub(super) fn of(finds: &mut Finds) -> Regions {
        let mut regions = Regions::default();
        let mut last = NONE;
        for (bytes, what) in in_order(finds) {
            let parent = regions.beside(regions.around(last, bytes.start), bytes);
            if let What::Definition { find, kind, instance: false, .. } = what
                && is_bound(kind, &finds.definitions[find as usize])
                && regions.get(parent).is_some_and(Region::is_function)
            {
                let name = finds.definitions[find as usize].name;
                finds.locals.push((name, true));
                continue;
            }
            let depth = regions.get(parent).map_or(0, |parent| parent.depth + 1);
            if depth as usize >= NESTING_CAP {
                regions.too_deep = true;
                continue;
            }
            last = regions.list.len() as u32;
            regions.list.push(Region { bytes, parent, what, mark: None, depth });
        }
        finds.locals.sort();
        regions.mark(finds);
        regions
    }

    pub(super) fn get(&self, region: u32) -> Option<&Region> {
        self.list.get(region as usize)
    }

    /// Gives the region and those around it, from the inside out.
    pub(super) fn up(&self, region: u32) -> impl Iterator<Item = (u32, &Region)> {
        let mut next = region;
        std::iter::from_fn(move || {
            let found = self.get(next)?;
            let at = std::mem::replace(&mut next, found.parent);
            Some((at, found))
        })
    }

    /// Climbs from the region that began last to the one that a place lies in.
    fn around(&self, last: u32, at: u32) -> u32 {
        self.up(last).find(|(_, region)| region.bytes.end > at).map_or(NONE, |(index, _)| index)
    }

    /// What has the same place is beside it, not in it: `a, b = 1, 2` binds two.
    fn beside(&self, region: u32, bytes: Bytes) -> u32 {
        self.up(region).find(|(_, around)| around.bytes != bytes).map_or(NONE, |(index, _)| index)
    }

    /// Gives each visibility to the region that says it: in front of its name, or anywhere in a scope.
    fn mark(&mut self, finds: &Finds) {
        let mut seeker = Seeker::default();
        for (at, visibility) in &finds.marks {
            let index = seeker.seek(self, *at);
            let Some(region) = self.list.get_mut(index as usize) else { continue };
            let before_name = match region.what {
                What::Definition { find, .. } => *at < finds.definitions[find as usize].name.start,
                _ => true,
            };
            if before_name {
                region.mark = Some(region.mark.map_or(*visibility, |mark| mark.min(*visibility)));
            }
        }
        // `private int a, b;` says it of both, and the last was found.
        for last in (1..self.list.len()).rev() {
            if self.list[last - 1].bytes == self.list[last].bytes {
                self.list[last - 1].mark = self.list[last - 1].mark.or(self.list[last].mark);
            }
        }
    }
}

/// Finds the innermost regions of places that are asked for in order.
#[derive(Debug)]
pub(super) struct Seeker {
    next: usize,
    current: u32,
}

impl Default for Seeker {
    fn default() -> Seeker {
        Seeker { next: 0, current: NONE }
    }
}

impl Seeker {
    /// Gives the innermost region around a place, or `NONE`; places must not go backwards.
    pub(super) fn seek(&mut self, regions: &Regions, at: u32) -> u32 {
        while regions.list.get(self.next).is_some_and(|region| region.bytes.start <= at) {
            self.current = self.next as u32;
            self.next += 1;
        }
        self.current = regions.around(self.current, at);
        self.current
    }
}

/// Whether a definition is a local where it stands in a function: a value is, and what C++ takes for the declaration
/// of a function and is mostly a variable with arguments.
fn is_bound(kind: Kind, one: &Definition) -> bool {
    matches!(kind, Kind::Variable | Kind::Constant | Kind::Field)
        || kind == Kind::Function && one.body.is_none()
}

fn in_order(finds: &Finds) -> Vec<(Bytes, What)> {
    let definition = |(find, one): (usize, &Definition)| {
        let Definition { kind, instance, scope, .. } = *one;
        let what = What::Definition { find: find as u32, kind, instance, scope };
        (one.bytes, what)
    };
    let scope = |(bytes, name): &(Bytes, Option<Bytes>)| {
        (*bytes, name.map_or(What::Closed, |name| What::Scope { name }))
    };
    let mut all: Vec<_> = finds.definitions.iter().enumerate().map(definition).collect();
    all.extend(finds.scopes.iter().map(scope));
    all.sort_by_key(|(bytes, _)| (bytes.start, u32::MAX - bytes.end));
    all
}
