//! A ranking that counts concessions lazily: "everything before this concedes once" is one step, not one per thing.
//!
//! A search tree by rank and, by a fixed scrambling of the rank's number, a heap (a treap): its depth is logarithmic for any
//! order of insertions, and its shape never reaches a decision. Each node carries what its whole subtree has conceded since
//! that was last handed down, and the most that anything below it has conceded. Start at [`Conceding`].

use super::rank::{Rank, Ranking};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node<V> {
    rank: Rank,
    value: V,
    /// Concessions of this node, without what its ancestors have not handed down.
    conceded: u32,
    /// The most concessions in this subtree, likewise.
    most: u32,
    /// To be handed down to both children.
    owed: u32,
    heap: u64,
    left: u32,
    right: u32,
}

/// Things in the order of their ranks, each with the number of times it has conceded.
#[derive(Clone, Debug)]
pub struct Conceding<V> {
    nodes: Vec<Node<V>>,
    free: Vec<u32>,
    root: u32,
    /// The nodes from the root down to where something is being changed; kept for its memory.
    path: Vec<u32>,
}

impl<V> Default for Conceding<V> {
    fn default() -> Self {
        Self { nodes: Vec::new(), free: Vec::new(), root: NONE, path: Vec::new() }
    }
}

impl<V: Copy + std::fmt::Debug + Send> Ranking<V> for Conceding<V> {
    fn insert(&mut self, rank: Rank, value: V, conceded: u32) {
        let heap = scramble(rank.1);
        let (mut above, mut at) = (NONE, self.root);
        while at != NONE && self.nodes[at as usize].heap > heap {
            self.hand_down(at);
            let node = &mut self.nodes[at as usize];
            node.most = node.most.max(conceded);
            (above, at) = (at, node.child(rank));
        }
        let (left, right) = self.split(at, rank);
        let new = self.place(Node { rank, value, conceded, most: conceded, owed: 0, heap, left, right });
        self.refresh(new);
        self.hang(above, rank, new);
    }

    fn remove(&mut self, rank: Rank, _value: V) -> u32 {
        let Some((found, owed)) = self.descend(rank) else { return 0 };
        self.hand_down(found);
        let Node { conceded, left, right, .. } = self.nodes[found as usize];
        let rest = self.merge(left, right);
        self.hang(self.path.last().copied().unwrap_or(NONE), rank, rest);
        self.refresh_path();
        self.free.push(found);
        conceded.saturating_add(owed)
    }

    fn is_empty(&self) -> bool {
        self.root == NONE
    }

    fn first(&self) -> Option<(Rank, V)> {
        let mut at = self.nodes.get(self.root as usize)?;
        while let Some(left) = self.nodes.get(at.left as usize) {
            at = left;
        }
        Some((at.rank, at.value))
    }

    fn iter(&self) -> impl Iterator<Item = (Rank, V)> + '_ {
        self.at_least(0, None)
    }

    fn conceded(&self, rank: Rank) -> u32 {
        let (mut at, mut owed) = (self.root, 0_u32);
        while let Some(node) = self.nodes.get(at as usize) {
            if node.rank == rank {
                return node.conceded.saturating_add(owed);
            }
            owed = owed.saturating_add(node.owed);
            at = node.child(rank);
        }
        0
    }
}

impl<V> Node<V> {
    /// Below which child a rank stands, or would stand.
    fn child(&self, rank: Rank) -> u32 {
        if rank < self.rank { self.left } else { self.right }
    }
}

impl<V: Copy> Conceding<V> {
    /// Everything ranked before `rank` concedes once.
    pub fn concede_before(&mut self, rank: Rank) {
        self.path.clear();
        let mut at = self.root;
        while at != NONE {
            self.path.push(at);
            let node = &mut self.nodes[at as usize];
            if node.rank < rank {
                node.conceded = node.conceded.saturating_add(1);
                let (left, right) = (node.left, node.right);
                self.owe(left, 1);
                at = right;
            } else {
                at = node.left;
            }
        }
        // Each may have a left child that has conceded: none is passed by.
        while let Some(at) = self.path.pop() {
            self.refresh(at);
        }
    }

    /// Something has conceded exactly so often.
    pub fn set(&mut self, rank: Rank, conceded: u32) {
        let Some((found, owed)) = self.descend(rank) else { return };
        if self.nodes[found as usize].conceded.saturating_add(owed) == conceded {
            return;
        }
        for i in 0..self.path.len() {
            self.hand_down(self.path[i]);
        }
        self.nodes[found as usize].conceded = conceded;
        self.path.push(found);
        self.refresh_path();
    }

    /// Those that have conceded at least `least` times, in order, up to but without `before`.
    pub fn at_least(&self, least: u32, before: Option<Rank>) -> impl Iterator<Item = (Rank, V)> + '_ {
        let mut walk = Walk { tree: self, least, stack: Vec::new() };
        walk.descend(self.root, 0);
        walk.take_while(move |(rank, _)| before.is_none_or(|before| *rank < before))
    }

    /// Finds what has a rank, with what its ancestors owe it; these are the path then.
    fn descend(&mut self, rank: Rank) -> Option<(u32, u32)> {
        self.path.clear();
        let (mut at, mut owed) = (self.root, 0_u32);
        while let Some(node) = self.nodes.get(at as usize) {
            if node.rank == rank {
                return Some((at, owed));
            }
            self.path.push(at);
            owed = owed.saturating_add(node.owed);
            at = node.child(rank);
        }
        None
    }

    /// Hangs a subtree of ranks near `rank` below a node, or makes it the whole tree.
    fn hang(&mut self, above: u32, rank: Rank, subtree: u32) {
        match self.nodes.get_mut(above as usize) {
            None => self.root = subtree,
            Some(node) if rank < node.rank => node.left = subtree,
            Some(node) => node.right = subtree,
        }
    }

    fn place(&mut self, node: Node<V>) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 lanes")
            }
        }
    }

    fn owe(&mut self, at: u32, n: u32) {
        if let Some(node) = self.nodes.get_mut(at as usize) {
            node.conceded = node.conceded.saturating_add(n);
            node.most = node.most.saturating_add(n);
            node.owed = node.owed.saturating_add(n);
        }
    }

    fn hand_down(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        let (owed, left, right) = (std::mem::take(&mut node.owed), node.left, node.right);
        if owed > 0 {
            self.owe(left, owed);
            self.owe(right, owed);
        }
    }

    /// Counts anew the most concessions below a node; whether that has changed.
    fn refresh(&mut self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        let below = |child: u32| {
            self.nodes.get(child as usize).map_or(0, |child| child.most.saturating_add(node.owed))
        };
        let most = node.conceded.max(below(node.left)).max(below(node.right));
        std::mem::replace(&mut self.nodes[at as usize].most, most) != most
    }

    /// Something has changed below the path: from its end up, as far as that is to be seen.
    fn refresh_path(&mut self) {
        while let Some(at) = self.path.pop() {
            if !self.refresh(at) {
                break;
            }
        }
    }

    /// Those before `rank`, and the rest.
    fn split(&mut self, at: u32, rank: Rank) -> (u32, u32) {
        if at == NONE {
            return (NONE, NONE);
        }
        self.hand_down(at);
        if self.nodes[at as usize].rank < rank {
            let (before, after) = self.split(self.nodes[at as usize].right, rank);
            self.nodes[at as usize].right = before;
            self.refresh(at);
            (at, after)
        } else {
            let (before, after) = self.split(self.nodes[at as usize].left, rank);
            self.nodes[at as usize].left = after;
            self.refresh(at);
            (before, at)
        }
    }

    /// Both as one, where everything in `left` is before everything in `right`.
    fn merge(&mut self, left: u32, right: u32) -> u32 {
        if left == NONE || right == NONE {
            return if left == NONE { right } else { left };
        }
        if self.nodes[left as usize].heap > self.nodes[right as usize].heap {
            self.hand_down(left);
            self.nodes[left as usize].right = self.merge(self.nodes[left as usize].right, right);
            self.refresh(left);
            left
        } else {
            self.hand_down(right);
            self.nodes[right as usize].left = self.merge(left, self.nodes[right as usize].left);
            self.refresh(right);
            right
        }
    }
}

/// A walk in order over nodes that have conceded often enough, passing by subtrees in which none has.
struct Walk<'a, V> {
    tree: &'a Conceding<V>,
    least: u32,
    /// Nodes still to be visited, each with what its ancestors owe it.
    stack: Vec<(u32, u32)>,
}

impl<V> Walk<'_, V> {
    fn descend(&mut self, mut at: u32, mut owed: u32) {
        while let Some(node) = self.tree.nodes.get(at as usize) {
            if node.most.saturating_add(owed) < self.least {
                return;
            }
            self.stack.push((at, owed));
            owed = owed.saturating_add(node.owed);
            at = node.left;
        }
    }
}

impl<V: Copy> Iterator for Walk<'_, V> {
    type Item = (Rank, V);

    fn next(&mut self) -> Option<(Rank, V)> {
        while let Some((at, owed)) = self.stack.pop() {
            let node = &self.tree.nodes[at as usize];
            self.descend(node.right, owed.saturating_add(node.owed));
            if node.conceded.saturating_add(owed) >= self.least {
                return Some((node.rank, node.value));
            }
        }
        None
    }
}

/// Spreads numbers evenly, the same everywhere.
const fn scramble(number: u64) -> u64 {
    let bits = (number ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn next(random: &mut u64) -> u64 {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *random >> 33
    }

    #[test]
    fn it_agrees_with_counting_one_by_one() {
        let mut tree: Conceding<u64> = Conceding::default();
        let mut plain: BTreeMap<Rank, u32> = BTreeMap::new();
        let mut random = 5;
        for step in 0..20_000_u64 {
            let rank: Rank = ((next(&mut random) % 40, 0), next(&mut random) % 8);
            match next(&mut random) % 5 {
                0 | 1 if !plain.contains_key(&rank) => {
                    let conceded = (next(&mut random) % 3) as u32;
                    tree.insert(rank, rank.1, conceded);
                    plain.insert(rank, conceded);
                }
                2 => assert_eq!(tree.remove(rank, rank.1), plain.remove(&rank).unwrap_or(0), "step {step}"),
                3 => {
                    tree.concede_before(rank);
                    plain.range_mut(..rank).for_each(|(_, n)| *n += 1);
                }
                _ => {
                    tree.set(rank, 0);
                    plain.entry(rank).and_modify(|n| *n = 0);
                }
            }
            let least = (next(&mut random) % 6) as u32;
            let found: Vec<Rank> = tree.at_least(least, Some(rank)).map(|(rank, _)| rank).collect();
            let expected: Vec<Rank> =
                plain.range(..rank).filter(|(_, n)| **n >= least).map(|(rank, _)| *rank).collect();
            assert_eq!(found, expected, "step {step}");
            assert_eq!(tree.first().map(|(rank, _)| rank), plain.keys().next().copied());
            assert_eq!(tree.conceded(rank), plain.get(&rank).copied().unwrap_or(0));
        }
    }

    #[test]
    fn it_stays_shallow_whatever_the_order() {
        let mut tree: Conceding<()> = Conceding::default();
        for i in 0..100_000 {
            tree.insert(((i, 0), i), (), 0);
        }
        fn depth(tree: &Conceding<()>, at: u32) -> usize {
            tree.nodes.get(at as usize).map_or(0, |n| 1 + depth(tree, n.left).max(depth(tree, n.right)))
        }
        assert!(depth(&tree, tree.root) < 60, "{}", depth(&tree, tree.root));
    }
}
