//! The macro that makes wrappers games and evaluators.

/// Implements a trait of `starsplit` for a wrapper, as its wrapper trait has it:
///
/// | trait | for a type with |
/// |---|---|
/// | [`Game`](starsplit::game::Game) | [`GameWrapper`](crate::GameWrapper) |
/// | [`Texts`](starsplit::game::Texts) | [`GameWrapper`](crate::GameWrapper), whose inner game has texts |
/// | [`Evaluator`](starsplit::evaluator::Evaluator), for every game | [`EvaluatorWrapper`](crate::EvaluatorWrapper) |
///
/// Write the head of the implementation, with bounds in the angle brackets:
///
/// ```
/// use starsplit::evaluator::Evaluator;
/// use starsplit::game::{Game, StepOf};
/// use starsplit_wrappers::{EvaluatorWrapper, GameWrapper, forward};
///
/// struct OtherRules<G>(G);
///
/// impl<G: Game> GameWrapper for OtherRules<G> {
///     type Inner = G;
///     type Position = G::Position;
///
///     fn inner(&self) -> &G {
///         &self.0
///     }
///
///     fn inner_position(position: &G::Position) -> &G::Position {
///         position
///     }
///
///     fn wrap(&self, _: &G::Position, _: StepOf<G>, after: G::Position) -> G::Position {
///         after
///     }
///
///     fn identity(&self) -> u64 {
///         !self.0.identity()
///     }
/// }
///
/// forward! { impl<G: Game> Game for OtherRules<G> }
///
/// struct Same<E>(E);
///
/// impl<E: Send + Sync> EvaluatorWrapper for Same<E> {
///     type Inner = E;
///
///     fn inner(&self) -> &E {
///         &self.0
///     }
/// }
///
/// forward! { impl<E: Send + Sync> Evaluator for Same<E> }
///
/// fn is_game<G: Game>(_: &G) {}
/// fn is_evaluator<G: Game, E: Evaluator<G>>(_: &G, _: &E) {}
/// # fn shown<G: Game, E: Evaluator<G>>(game: G, evaluator: E) {
/// let other = OtherRules(game);
/// is_game(&other);
/// is_evaluator(other.inner(), &Same(evaluator));
/// # }
/// ```
#[macro_export]
macro_rules! forward {
    (impl $trait:ident for $type:ty) => {
        $crate::forward! { @$trait [] $type }
    };
    (impl < $($rest:tt)*) => {
        $crate::forward! { @head [] $($rest)* }
    };

    // The generic parameters, token by token, up to the bracket that closes them.
    (@head [$($generics:tt)*] > $trait:ident for $type:ty) => {
        $crate::forward! { @$trait [$($generics)*,] $type }
    };
    (@head [$($generics:tt)*] >> $trait:ident for $type:ty) => {
        $crate::forward! { @$trait [$($generics)* >,] $type }
    };
    (@head [$($generics:tt)*] $next:tt $($rest:tt)*) => {
        $crate::forward! { @head [$($generics)* $next] $($rest)* }
    };

    (@Game [$($generics:tt)*] $type:ty) => {
        // The lint: a new method of `Game` must be listed here.
        #[deny(clippy::missing_trait_methods)]
        impl<$($generics)*> $crate::named::Game for $type {
            type Position = <Self as $crate::GameWrapper>::Position;
            type Move = <<Self as $crate::GameWrapper>::Inner as $crate::named::Game>::Move;
            type Outcome = <<Self as $crate::GameWrapper>::Inner as $crate::named::Game>::Outcome;
            const STEPS: $crate::named::Steps = <Self as $crate::GameWrapper>::STEPS;

            $crate::forward! { @methods GameWrapper
                fn identity() -> u64;
                fn facts() -> $crate::named::GameFacts;
                fn kind(position: &Self::Position) -> $crate::named::NodeKind;
                fn player(position: &Self::Position) -> $crate::named::Player;
                fn terminal_score(position: &Self::Position) -> $crate::named::Score;
                fn hash(position: &Self::Position) -> $crate::named::PositionHash;
                fn hash_to_depth(position: &Self::Position, depth: u8) -> $crate::named::PositionHash;
                fn moves(position: &Self::Position, push: impl FnMut(Self::Move));
                fn play(position: &Self::Position, mv: Self::Move) -> Self::Position;
                fn visit_moves(
                    position: &Self::Position,
                    visit: impl FnMut(Self::Move, Self::Position) -> $crate::named::ControlFlow<()>
                );
                fn reward(
                    before: &Self::Position,
                    step: $crate::named::StepOf<Self>,
                    after: &Self::Position
                ) -> $crate::named::Score;
                fn plies(
                    before: &Self::Position,
                    step: $crate::named::StepOf<Self>,
                    after: &Self::Position
                ) -> u8;
                fn outcomes(position: &Self::Position, push: impl FnMut(Self::Outcome, u32));
                fn resolve(position: &Self::Position, outcome: Self::Outcome) -> Self::Position;
                fn visit_outcomes(
                    position: &Self::Position,
                    visit: impl FnMut(Self::Outcome, u32, Self::Position) -> $crate::named::ControlFlow<()>
                );
                fn outcome_bounds(
                    position: &Self::Position,
                    depth: u8,
                    push: impl FnMut($crate::named::Bounds)
                );
                fn move_slot(mv: Self::Move) -> usize;
                fn full_depth(position: &Self::Position) -> Option<u32>;
            }
        }
    };
    // Methods that call the wrapper's method of the same name.
    (@methods $wrapper:ident $(fn $name:ident($($argument:ident: $of:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[inline]
            fn $name(&self, $($argument: $of),*) $(-> $result)? {
                <Self as $crate::$wrapper>::$name(self, $($argument),*)
            }
        )*
    };

    (@Texts [$($generics:tt)*] $type:ty) => {
        #[deny(clippy::missing_trait_methods)]
        impl<$($generics)*> $crate::named::Texts for $type {
            fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
                let within = <Self as $crate::GameWrapper>::inner_position(position);
                $crate::named::Texts::move_text($crate::GameWrapper::inner(self), within, mv)
            }

            fn outcome_text(&self, position: &Self::Position, outcome: Self::Outcome) -> String {
                let within = <Self as $crate::GameWrapper>::inner_position(position);
                $crate::named::Texts::outcome_text($crate::GameWrapper::inner(self), within, outcome)
            }
        }
    };

    (@Evaluator [$($generics:tt)*] $type:ty) => {
        // The lint: a new method of `Evaluator` must be listed here.
        #[deny(clippy::missing_trait_methods)]
        impl<$($generics)* InGame> $crate::named::Evaluator<InGame> for $type
        where
            InGame: $crate::named::Game,
            <$type as $crate::EvaluatorWrapper>::Inner: $crate::named::Evaluator<InGame>,
        {
            type State =
                <<$type as $crate::EvaluatorWrapper>::Inner as $crate::named::Evaluator<InGame>>::State;
            const ABILITIES: $crate::named::Abilities =
                <<$type as $crate::EvaluatorWrapper>::Inner as $crate::named::Evaluator<InGame>>::ABILITIES;

            fn facts(&self, game: &InGame) -> $crate::named::EvaluatorFacts {
                $crate::EvaluatorWrapper::facts(self, game)
            }

            #[inline]
            fn state(
                &self,
                game: &InGame,
                position: &InGame::Position,
                before: Option<$crate::named::Before<'_, InGame, Self::State>>,
            ) -> Self::State {
                $crate::named::Evaluator::state($crate::EvaluatorWrapper::inner(self), game, position, before)
            }

            #[inline]
            fn ignores_outcome(&self, game: &InGame, position: &InGame::Position) -> bool {
                let inner = $crate::EvaluatorWrapper::inner(self);
                $crate::named::Evaluator::ignores_outcome(inner, game, position)
            }

            #[inline]
            fn evaluate(
                &self,
                game: &InGame,
                position: &InGame::Position,
                state: &Self::State,
            ) -> $crate::named::Score {
                $crate::EvaluatorWrapper::evaluate(self, game, position, state)
            }

            #[inline]
            fn evaluate_after_move(
                &self,
                game: &InGame,
                state: &Self::State,
                before: &InGame::Position,
                mv: InGame::Move,
                after: &InGame::Position,
            ) -> $crate::named::Score {
                $crate::EvaluatorWrapper::evaluate_after_move(self, game, state, before, mv, after)
            }

            fn evaluate_many(
                &self,
                game: &InGame,
                nodes: &[(&InGame::Position, &Self::State)],
                scores: &mut [$crate::named::Score],
            ) -> Result<(), $crate::named::EvaluationError> {
                $crate::EvaluatorWrapper::evaluate_many(self, game, nodes, scores)
            }

            #[inline]
            fn bounds(
                &self,
                game: &InGame,
                position: &InGame::Position,
                depth: u8,
            ) -> $crate::named::Bounds {
                $crate::named::Evaluator::bounds($crate::EvaluatorWrapper::inner(self), game, position, depth)
            }

            #[inline]
            fn outcome_bounds(
                &self,
                game: &InGame,
                position: &InGame::Position,
                depth: u8,
                push: impl FnMut($crate::named::Bounds),
            ) {
                let inner = $crate::EvaluatorWrapper::inner(self);
                $crate::named::Evaluator::outcome_bounds(inner, game, position, depth, push);
            }
        }
    };
}

/// What the macro names.
#[doc(hidden)]
pub mod named {
    pub use starsplit::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts};
    pub use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, StepOf, Steps, Texts};
    pub use starsplit::score::{Bounds, Score};
    pub use std::ops::ControlFlow;
}
