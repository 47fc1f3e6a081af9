//! What definitions belong to, written out.

use std::rc::Rc;

use super::{
    super::{
        Symbol, Visibility,
        regions::{Region, Regions, What},
    },
    Maker,
};

/// Longer owners are not repeated for what they own: 1,000 bytes, so that 20,000 symbols repeat 20 MB at most.
const OWNER_CAP: usize = 1_000;

/// What each region is to what lies in it.
pub(super) struct Owners<'a> {
    maker: &'a Maker<'a>,
    regions: &'a Regions,
    list: Vec<Owner>,
}

#[derive(Clone)]
struct Owner {
    path: Rc<str>,
    visibility: Visibility,
}

impl<'a> Owners<'a> {
    pub(super) fn of(maker: &'a Maker<'a>, regions: &'a Regions) -> Owners<'a> {
        Owners { maker, regions, list: Vec::with_capacity(regions.list.len()) }
    }

    /// Gives the path of what lies in a region and says its own owner besides; `None` when it is too long.
    pub(super) fn path(&self, region: u32, said: Option<&str>) -> Option<String> {
        let around = self.list.get(region as usize).map_or("", |owner| &owner.path);
        let path = joined(around, said.unwrap_or(""));
        (path.len() <= OWNER_CAP).then_some(path)
    }

    /// Gives who may use a region, such as an `impl` of a public trait.
    pub(super) fn visibility(&self, region: u32) -> Visibility {
        self.list.get(region as usize).map_or(Visibility::Public, |owner| owner.visibility)
    }

    /// Adds the next region, and the symbol that it became.
    pub(super) fn push(&mut self, index: usize, region: &Region, made: Option<&Symbol>) {
        let visibility = match made {
            Some(symbol) => symbol.visibility,
            None => region.mark.unwrap_or(Visibility::Private),
        };
        let around = self.list.get(region.parent as usize).map(|owner| owner.path.clone());
        let around = around.unwrap_or_else(|| Rc::from(""));
        // Most regions hold none: their path is not needed.
        let holds = self.regions.get(index as u32 + 1).is_some_and(|next| next.parent == index as u32);
        let path = match (&region.what, made) {
            (What::Definition { .. }, Some(symbol)) if holds => Rc::from(symbol.qualified()),
            (What::Scope { name }, _) if holds => match name.text(self.maker.source) {
                Some(text) if text.len() <= OWNER_CAP => {
                    Rc::from(joined(&around, &(self.maker.rules.owner)(text).unwrap_or_default()))
                }
                _ => around,
            },
            _ => around,
        };
        self.list.push(Owner { path, visibility });
    }
}

fn joined(path: &str, name: &str) -> String {
    match (path, name) {
        ("", name) => name.to_owned(),
        (path, "") => path.to_owned(),
        (path, name) => format!("{path}.{name}"),
    }
}
