//! Files as people write them.

pub(super) const TYPESCRIPT: &str = r#"import { Injectable } from "framework";
import { Clock } from "./clock";
import { Store } from "./store";
import { log } from "./log";

export interface Plan {
  id: string;
  price(): number;
}

/** Renews and cancels. */
@Injectable()
export class SubscriptionService {
  private readonly plans: Plan[] = [];

  static limit = 3;

  constructor(private readonly store: Store, private readonly clock: Clock) {}

  /** Renews a subscription that is about to end. */
  @log()
  async renew(id: string): Promise<void> {
    const plan = await this.store.plan(id);
    if (plan) {
      await this.store.extend(id, this.clock.now());
    }
  }

  cancel = (id: string) => {
    // The store keeps what was paid.
    this.store.cancel(id);
    return id;
  };
}

export const isActive = (id: string) => {
  // Named by what it is bound to.
  return id.length > 0;
};

export const LIMIT = 10;
"#;

pub(super) const RUST: &str = r#"//! A registry.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::error::Error;

/// Keeps what was added.
#[derive(Debug, Default)]
pub struct Registry {
    entries: BTreeMap<String, u32>,
    last: Option<u32>,
}

impl Registry {
    /// Begins empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry.
    #[must_use]
    pub fn add(&mut self, name: &str) -> bool {
        self.last = Some(1);
        self.entries.insert(name.to_owned(), 1).is_none()
    }
}

impl Debug for Other {
    // What follows is there for the second name.
    fn other(&self) {}
}
"#;

pub(super) const PYTHON: &str = r#"import os
import sys
from dataclasses import dataclass

VERSION = "1"
NAMES = []

@dataclass
class Cart:
    """What somebody wants to buy."""

    items: list

    # Kept apart, since taxes differ.
    @property
    def total(self):
        """Adds up."""
        tax = 1
        return sum(self.items) + tax

    def clear(self):
        """Forgets."""
        self.items = []

# Reads what was kept.
def load(path):
    """Loads a cart."""
    with open(path) as file:
        lines = file.read()
    return lines

if __name__ == "__main__":
    cart = load(sys.argv[1])
    print(cart)
    print(os.getcwd())
"#;

pub(super) const MARKDOWN: &str = r#"# Tool

## Install

Take the package
and put it where it belongs,
then log in.

## Use

One line.
```sh
# not a heading
tool run
```

### Flags

- `--one`
- `--two`
- `--three`

Other
=====
One
Two
"#;
