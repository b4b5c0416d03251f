//! Moves and outcomes that lead back to their own position, and outcomes that lead to one position.

use super::{GraphPosition, RandomGraph, part};
use starsplit::evaluator::mix64;
use starsplit::game::NodeKind;

impl RandomGraph {
    /// The same graph, but that so many of 100 moves and outcomes, on average, lead elsewhere: half of them
    /// back to the position itself, the others where the first successor leads. Where the graph has no
    /// cycles all of them do the second. More than 100 count as 100. Nothing is drawn anew.
    #[must_use]
    pub fn with_loops(mut self, percent: u32) -> Self {
        let may_return = self.nodes.iter().all(|node| node.full_depth.is_none());
        for index in 0..self.nodes.len() as u32 {
            let node = self.nodes[index as usize];
            if node.kind == NodeKind::Terminal {
                continue;
            }
            let of_node = mix64(self.seed ^ mix64(0x6c6f_6f70 ^ u64::from(index)));
            let edges = &mut self.edges[node.first_edge as usize..][..node.edges as usize];
            let first = edges[0].0;
            for (ordinal, (to, _)) in (0..).zip(edges) {
                let bits = mix64(of_node ^ ordinal);
                if part(bits, 100) < percent {
                    let returns = may_return && mix64(bits) % 2 == 0;
                    *to = if returns { GraphPosition { index } } else { first };
                }
            }
        }
        if !may_return {
            self.find_full_depths();
        }
        self.digest = self.digest_anew();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GraphShape;
    use starsplit::game::Game;

    /// How many of 100 steps lead back, and how many of 100 outcomes, those that lead back aside, lead where
    /// an earlier one of their node leads.
    fn shares(graph: &RandomGraph) -> (usize, usize) {
        let (mut steps, mut back, mut outcomes, mut meet) = (0, 0, 0, 0);
        for position in graph.positions().filter(|position| graph.kind(position) != NodeKind::Terminal) {
            let edges = graph.edges_of(position.index);
            for (ordinal, (to, _)) in edges.iter().enumerate() {
                steps += 1;
                back += usize::from(*to == position);
                if graph.kind(&position) == NodeKind::Chance && *to != position {
                    outcomes += 1;
                    meet += usize::from(edges[..ordinal].iter().any(|(earlier, _)| earlier == to));
                }
            }
        }
        (100 * back / steps, 100 * meet / outcomes)
    }

    #[test]
    fn loops_are_as_many_as_asked_for_and_never_where_nothing_may_return() {
        let graph = |cycles| {
            let shape = GraphShape { positions: 2_000, cycles, ..GraphShape::default() };
            RandomGraph::new(&shape, 1).expect("the shape is within its limits")
        };
        assert_eq!(shares(&graph(true)), (0, 0));
        let (back, meet) = shares(&graph(true).with_loops(40));
        assert!((17..=23).contains(&back) && (8..=20).contains(&meet), "{back} {meet}");
        let (back, meet) = shares(&graph(false).with_loops(40));
        assert!(back == 0 && (20..=40).contains(&meet), "{back} {meet}");
        assert_eq!(graph(true).with_loops(0).identity(), graph(true).identity());
        assert_ne!(graph(true).with_loops(40).identity(), graph(true).identity());
    }
}
