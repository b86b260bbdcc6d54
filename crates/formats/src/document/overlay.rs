//! One table laid over another: a variant over the base, a pool's policies over those of all pools.
//!
//! What stands in the upper table goes before what stands in the lower one, and every value keeps its own place, so refusals
//! point at the line where it was written. Does not know what keys mean, but for one: what has a name is one thing.
//!
//! Tables lie over each other key by key. A table that names what it is (`name`, `law`) replaces the lower one whole, since
//! its settings belong to that name. Lists of tables that all have a name are laid over each other name by name; a name that
//! the lower list lacks is refused, as it would be a slip. Every other list is replaced whole.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::refusal::nearest;

use super::node::{Entry, Kind, Node, TableId, TableNode};
use super::{Document, Table};
use crate::refusal::Reason;

/// Keys that say what a table is.
const NAMING: [&str; 2] = ["name", "law"];

impl<'d> Table<'d> {
    /// This table with `over` laid over it. Keys in `without` are not taken over from this one.
    #[must_use]
    pub fn overlaid(self, over: Table<'d>, without: &[&str]) -> Table<'d> {
        Table { document: self.document, id: self.document.lay(self.id, over.id, without) }
    }
}

impl Document {
    fn lay(&self, base: TableId, over: TableId, without: &[&str]) -> TableId {
        let (lower, upper) = {
            let tables = self.tables.borrow();
            (tables.0[base].entries.clone(), tables.0[over].entries.clone())
        };
        let mut entries: BTreeMap<String, Entry> =
            lower.into_iter().filter(|(key, _)| !without.contains(&key.as_str())).collect();
        for (key, entry) in upper {
            let laid = match entries.get(&key) {
                Some(below) => {
                    Entry { key: entry.key.clone(), value: self.lay_value(&below.value, &entry.value) }
                }
                None => entry,
            };
            entries.insert(key, laid);
        }
        let mut tables = self.tables.borrow_mut();
        let (path, place) = (tables.0[over].path.clone(), tables.0[over].place.clone());
        tables.push(TableNode { path, place, entries, made_of: vec![base, over], ..TableNode::default() })
    }

    fn lay_value(&self, below: &Rc<Node>, above: &Rc<Node>) -> Rc<Node> {
        let kind = match (&below.kind, &above.kind) {
            (Kind::Table(base), Kind::Table(over)) if !self.is_named(*over) => {
                Kind::Table(self.lay(*base, *over, &[]))
            }
            (Kind::List(base), Kind::List(over)) => match (self.names(base), self.names(over)) {
                (Some(base), Some(over)) if !base.is_empty() && !over.is_empty() => {
                    Kind::List(self.lay_list(&base, &over))
                }
                _ => return Rc::clone(above),
            },
            _ => return Rc::clone(above),
        };
        Rc::new(Node { path: above.path.clone(), place: above.place.clone(), kind })
    }

    fn lay_list(&self, base: &[(String, Rc<Node>)], over: &[(String, Rc<Node>)]) -> Vec<Rc<Node>> {
        for (name, item) in over {
            if !base.iter().any(|(known, _)| known == name) {
                self.refuse_name(name, item, base);
            }
        }
        let laid = |(name, item): &(String, Rc<Node>)| {
            let above = over.iter().filter(|(upper, _)| upper == name).map(|(_, upper)| upper);
            above.fold(Rc::clone(item), |below, above| self.lay_tables(&below, above))
        };
        base.iter().map(laid).collect()
    }

    /// Two tables of the same name.
    fn lay_tables(&self, below: &Rc<Node>, above: &Rc<Node>) -> Rc<Node> {
        let (Kind::Table(base), Kind::Table(over)) = (&below.kind, &above.kind) else {
            return Rc::clone(above);
        };
        let kind = Kind::Table(self.lay(*base, *over, &[]));
        Rc::new(Node { path: above.path.clone(), place: above.place.clone(), kind })
    }

    fn refuse_name(&self, name: &str, item: &Rc<Node>, base: &[(String, Rc<Node>)]) {
        let known = || base.iter().map(|(known, _)| known.as_str());
        let reason = Reason::Value {
            value: format!("'{name}'"),
            allowed: format!("a name that is there already: {}", known().collect::<Vec<_>>().join(", ")),
            nearest: nearest(name, known()).map(str::to_owned),
        };
        let Kind::Table(id) = item.kind else { return };
        let place =
            self.tables.borrow().0[id].entries.get("name").and_then(|entry| entry.value.place.clone());
        self.refuse(&place, format!("{}.name", item.path), reason);
    }

    fn is_named(&self, id: TableId) -> bool {
        NAMING.iter().any(|key| self.tables.borrow().0[id].entries.contains_key(*key))
    }

    /// The items by name, if all are tables with a name.
    fn names(&self, items: &[Rc<Node>]) -> Option<Vec<(String, Rc<Node>)>> {
        let tables = self.tables.borrow();
        let name = |item: &Rc<Node>| {
            let Kind::Table(id) = item.kind else { return None };
            match &tables.0[id].entries.get("name")?.value.kind {
                Kind::Text(name) => Some((name.clone(), Rc::clone(item))),
                _ => None,
            }
        };
        items.iter().map(name).collect()
    }
}
