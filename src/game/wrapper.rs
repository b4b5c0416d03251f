//! Games that change a few things of another game.

use crate::game::{Game, GameFacts, Hash, NodeKind, Player, Step, StepOf, Steps, until_break};
use crate::score::{Bounds, Score};
use std::ops::ControlFlow;

/// A game made from another one, its [inner](GameWrapper::inner) game. Methods mean the same as in [`Game`];
/// what the wrapper does not implement is the inner game's. Every type with this trait is a [`Game`].
///
/// Two things are not the inner game's. `visit_moves` and `visit_outcomes` use the wrapper's own
/// [`moves`](GameWrapper::moves) and [`outcomes`](GameWrapper::outcomes). And there are no
/// [bounds](Game::outcome_bounds), which may be false once something else is changed.
///
/// Where both traits are in scope, name the trait in a call, as in `Game::moves`.
pub trait GameWrapper: Send + Sync {
    /// The inner game.
    type Inner: Game;
    /// A position. It contains one of the inner game's, or is one.
    type Position: Clone + Send + Sync;
    /// See [`Game::STEPS`].
    const STEPS: Steps = <Self::Inner as Game>::STEPS;

    /// The inner game.
    fn inner(&self) -> &Self::Inner;

    /// The inner game's position.
    fn inner_position(position: &Self::Position) -> &<Self::Inner as Game>::Position;

    /// The position after a step, where the inner game's position is `after`.
    fn wrap(
        &self,
        before: &Self::Position,
        step: StepOf<Self::Inner>,
        after: <Self::Inner as Game>::Position,
    ) -> Self::Position;

    /// See [`Game::identity`]. It must differ from the inner game's where values may differ.
    fn identity(&self) -> u64;

    /// See [`Game::facts`]. What the inner game promises must hold here as well.
    fn facts(&self) -> GameFacts {
        self.inner().facts()
    }

    /// See [`Game::kind`].
    #[inline]
    fn kind(&self, position: &Self::Position) -> NodeKind {
        self.inner().kind(Self::inner_position(position))
    }

    /// See [`Game::player`].
    #[inline]
    fn player(&self, position: &Self::Position) -> Player {
        self.inner().player(Self::inner_position(position))
    }

    /// See [`Game::terminal_score`].
    #[inline]
    fn terminal_score(&self, position: &Self::Position) -> Score {
        self.inner().terminal_score(Self::inner_position(position))
    }

    /// See [`Game::hash`].
    #[inline]
    fn hash(&self, position: &Self::Position) -> Hash {
        self.inner().hash(Self::inner_position(position))
    }

    /// See [`Game::hash_to_depth`]. The wrapper's own hash, plus what the depth adds to the inner game's.
    #[inline]
    fn hash_to_depth(&self, position: &Self::Position, depth: u8) -> Hash {
        let (inner, within) = (self.inner(), Self::inner_position(position));
        self.hash(position) ^ inner.hash(within) ^ inner.hash_to_depth(within, depth)
    }

    /// See [`Game::moves`].
    #[inline]
    fn moves(&self, position: &Self::Position, push: impl FnMut(<Self::Inner as Game>::Move)) {
        self.inner().moves(Self::inner_position(position), push);
    }

    /// See [`Game::play`].
    #[inline]
    fn play(&self, position: &Self::Position, mv: <Self::Inner as Game>::Move) -> Self::Position {
        let after = self.inner().play(Self::inner_position(position), mv);
        self.wrap(position, Step::Move(mv), after)
    }

    /// See [`Game::outcomes`].
    #[inline]
    fn outcomes(&self, position: &Self::Position, push: impl FnMut(<Self::Inner as Game>::Outcome, u32)) {
        self.inner().outcomes(Self::inner_position(position), push);
    }

    /// See [`Game::resolve`].
    #[inline]
    fn resolve(&self, position: &Self::Position, outcome: <Self::Inner as Game>::Outcome) -> Self::Position {
        let after = self.inner().resolve(Self::inner_position(position), outcome);
        self.wrap(position, Step::Outcome(outcome), after)
    }

    /// See [`Game::reward`].
    #[inline]
    fn reward(&self, before: &Self::Position, step: StepOf<Self::Inner>, after: &Self::Position) -> Score {
        self.inner().reward(Self::inner_position(before), step, Self::inner_position(after))
    }

    /// See [`Game::plies`].
    #[inline]
    fn plies(&self, before: &Self::Position, step: StepOf<Self::Inner>, after: &Self::Position) -> u8 {
        self.inner().plies(Self::inner_position(before), step, Self::inner_position(after))
    }

    /// See [`Game::visit_moves`].
    #[inline]
    fn visit_moves(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(<Self::Inner as Game>::Move, Self::Position) -> ControlFlow<()>,
    ) {
        self.moves(position, until_break(|mv| visit(mv, self.play(position, mv))));
    }

    /// See [`Game::visit_outcomes`].
    #[inline]
    fn visit_outcomes(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(<Self::Inner as Game>::Outcome, u32, Self::Position) -> ControlFlow<()>,
    ) {
        let mut each =
            until_break(|(outcome, weight)| visit(outcome, weight, self.resolve(position, outcome)));
        self.outcomes(position, |outcome, weight| each((outcome, weight)));
    }

    /// See [`Game::outcome_bounds`].
    #[inline]
    fn outcome_bounds(&self, _position: &Self::Position, _depth: u8, _push: impl FnMut(Bounds)) {}

    /// See [`Game::move_slot`].
    #[inline]
    fn move_slot(&self, mv: <Self::Inner as Game>::Move) -> usize {
        self.inner().move_slot(mv)
    }

    /// See [`Game::full_depth`].
    fn full_depth(&self, position: &Self::Position) -> Option<u32> {
        self.inner().full_depth(Self::inner_position(position))
    }
}

/// Methods of [`Game`] that call the wrapper's method of the same name.
macro_rules! ask_wrapper {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[inline]
            fn $name(&self, $($argument: $type),*) $(-> $result)? {
                W::$name(self, $($argument),*)
            }
        )*
    };
}

// The lint: a new method of `Game` must be listed here.
#[deny(clippy::missing_trait_methods)]
impl<W: GameWrapper> Game for W {
    type Position = W::Position;
    type Move = <W::Inner as Game>::Move;
    type Outcome = <W::Inner as Game>::Outcome;
    const STEPS: Steps = W::STEPS;

    ask_wrapper! {
        fn identity() -> u64;
        fn facts() -> GameFacts;
        fn kind(position: &W::Position) -> NodeKind;
        fn player(position: &W::Position) -> Player;
        fn terminal_score(position: &W::Position) -> Score;
        fn hash(position: &W::Position) -> Hash;
        fn hash_to_depth(position: &W::Position, depth: u8) -> Hash;
        fn moves(position: &W::Position, push: impl FnMut(Self::Move));
        fn play(position: &W::Position, mv: Self::Move) -> W::Position;
        fn visit_moves(position: &W::Position, visit: impl FnMut(Self::Move, W::Position) -> ControlFlow<()>);
        fn reward(before: &W::Position, step: StepOf<Self>, after: &W::Position) -> Score;
        fn plies(before: &W::Position, step: StepOf<Self>, after: &W::Position) -> u8;
        fn outcomes(position: &W::Position, push: impl FnMut(Self::Outcome, u32));
        fn resolve(position: &W::Position, outcome: Self::Outcome) -> W::Position;
        fn visit_outcomes(
            position: &W::Position,
            visit: impl FnMut(Self::Outcome, u32, W::Position) -> ControlFlow<()>
        );
        fn outcome_bounds(position: &W::Position, depth: u8, push: impl FnMut(Bounds));
        fn move_slot(mv: Self::Move) -> usize;
        fn full_depth(position: &W::Position) -> Option<u32>;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::GameWrapper;
    use crate::evaluator::{Before, Evaluator, OfInner};
    use crate::game::{Game, GameFacts, Hash, NodeKind, Player, Step, StepOf, Steps};
    use crate::score::{Bounds, Score};
    use crate::tests::{Blind, Graph};
    use std::ops::ControlFlow;

    /// A wrapper with its own identity and, on request, its own hash.
    struct Same<G>(G, Hash);

    impl<G: Game> GameWrapper for Same<G> {
        type Inner = G;
        type Position = G::Position;

        fn inner(&self) -> &G {
            &self.0
        }

        fn inner_position(position: &G::Position) -> &G::Position {
            position
        }

        fn wrap(&self, _: &G::Position, _: StepOf<G>, after: G::Position) -> G::Position {
            after
        }

        fn identity(&self) -> u64 {
            !self.0.identity()
        }

        fn hash(&self, position: &G::Position) -> Hash {
            self.0.hash(position) ^ self.1
        }
    }

    type Seen = (NodeKind, Player, Hash, Option<u32>, Vec<(u32, u32, u32, Score, u8, usize)>);

    /// All that a game says about a position, except a terminal's score, and bounds.
    fn seen<G: Game<Position = u32, Move = u32, Outcome = u32>>(game: &G, position: u32) -> Seen {
        let (kind, mut steps) = (game.kind(&position), Vec::new());
        let told = |step, weight, after| {
            let (Step::Move(number) | Step::Outcome(number)) = step;
            let (reward, plies) = (game.reward(&position, step, &after), game.plies(&position, step, &after));
            (number, weight, after, reward, plies, game.move_slot(number))
        };
        match kind {
            NodeKind::Terminal => {}
            NodeKind::Decision => game.visit_moves(&position, |mv, after| {
                steps.push(told(Step::Move(mv), 1, after));
                ControlFlow::Continue(())
            }),
            NodeKind::Chance => game.visit_outcomes(&position, |outcome, weight, after| {
                steps.push(told(Step::Outcome(outcome), weight, after));
                ControlFlow::Continue(())
            }),
        }
        (kind, game.player(&position), game.hash(&position), game.full_depth(&position), steps)
    }

    fn of<G: Game>(game: &G) -> (Steps, GameFacts) {
        (G::STEPS, game.facts())
    }

    #[test]
    fn what_a_wrapper_does_not_say_is_as_in_the_game_within() {
        let graph = Graph::<true, true>::default();
        let same = Same(graph.clone(), Hash::default());
        assert_eq!(of(&same), of(&graph));
        let mut steps = 0;
        for position in 0..graph.positions() {
            let expected = seen(&graph, position);
            steps += expected.4.len();
            assert_eq!(seen(&same, position), expected);
            if expected.0 == NodeKind::Terminal {
                assert_eq!(Game::terminal_score(&same, &position), graph.terminal_score(&position));
            }
            let mut bounds: Vec<Bounds> = Vec::new();
            Game::outcome_bounds(&same, &position, 2, |told| bounds.push(told));
            assert_eq!(bounds, [], "nothing is proven of another game's values");
        }
        assert!(steps > 500, "{steps} moves and outcomes");
    }

    /// A game whose hash depends on the depth, as if its values depended on the past.
    struct Deep(Graph<false>);

    impl GameWrapper for Deep {
        type Inner = Graph<false>;
        type Position = u32;

        fn inner(&self) -> &Graph<false> {
            &self.0
        }

        fn inner_position(position: &u32) -> &u32 {
            position
        }

        fn wrap(&self, _: &u32, _: StepOf<Graph<false>>, after: u32) -> u32 {
            after
        }

        fn identity(&self) -> u64 {
            0
        }

        fn hash_to_depth(&self, position: &u32, depth: u8) -> Hash {
            self.0.hash(position) ^ Hash::from(u64::from(depth))
        }
    }

    #[test]
    fn a_wrappers_own_hash_keeps_what_the_game_within_adds_for_a_depth() {
        let own = Hash { high: 3, low: 5 };
        let wrapped = Same(Deep(Graph::default()), own);
        for position in 0..wrapped.0.0.positions() {
            for depth in [1, 3, 200] {
                let within = Game::hash_to_depth(&wrapped.0, &position, depth);
                assert_ne!(within, Game::hash(&wrapped.0, &position));
                assert_eq!(Game::hash_to_depth(&wrapped, &position, depth), within ^ own);
            }
        }
    }

    #[test]
    fn an_evaluator_of_the_game_within_evaluates_the_wrapper() {
        let graph = Graph::<false>::default();
        let same = Same(graph.clone(), Hash::default());
        let inner = Blind::<true, true> { seed: 3, limit: 1000, cost: 7 };
        let (outer, by_reference) = (OfInner(inner), &inner);
        assert_eq!(outer.facts(&same), inner.facts(&graph));
        assert_eq!(Evaluator::facts(&by_reference, &graph), inner.facts(&graph));
        for position in (0..graph.positions()).filter(|position| graph.kind(position) == NodeKind::Decision) {
            let state = inner.state(&graph, &position, None);
            graph.moves(&position, |mv| {
                let after = graph.play(&position, mv);
                let step = Step::Move(mv);
                let carried =
                    inner.state(&graph, &after, Some(Before { position: &position, state: &state, step }));
                let before = Before { position: &position, state: &state, step };
                assert_eq!(outer.state(&same, &after, Some(before)), carried);
                let expected = inner.evaluate(&graph, &after, &carried);
                assert_eq!(outer.evaluate_after_move(&same, &state, &position, mv, &after), expected);
                let mut scores = [0];
                Evaluator::evaluate_many(&by_reference, &graph, &[(&after, &carried)], &mut scores)
                    .expect("one that never fails");
                assert_eq!(scores, [expected]);
                assert_eq!(
                    Evaluator::bounds(&by_reference, &graph, &after, 1),
                    inner.bounds(&graph, &after, 1)
                );
            });
        }
    }
}
