//! Games of a program's own: with one evaluator, and without rules, notation or suites, for which there are
//! defaults.

use crate::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use starsplit::evaluator::{BehindPointer, Evaluator};
use starsplit::game::{Game, NodeKind, Step, StepOf, Texts};
use std::any::Any;
use std::fmt::{self, Debug};
use std::ops::Deref;

/// The rules where there are no others.
pub(crate) const RULES: &str = "default";

/// How such positions are written.
pub(crate) const NOTATION_HELP: &str =
    "the way to the position: start, then its moves and outcomes, such as start, a, b";

/// What such a game has for evaluators.
pub(crate) const EVALUATORS: &[EvaluatorInfo] = &[EvaluatorInfo { name: "own", about: "the game's own" }];

/// The position in which the game begins, as a text.
const START: &str = "start";

/// What parts the steps of a way.
const BETWEEN: &str = ", ";

/// What a program needs of a game to name it: a start and an evaluator. The game may be of another crate; the
/// type that has this is of one's own, such as the game itself, and is only a name for it.
pub trait OwnGame: 'static {
    /// The game.
    type Game: Game<Position: Any + Debug, Move: Any, Outcome: Any> + Texts + Clone + Debug + 'static;
    /// Its evaluator.
    type Evaluator: Evaluator<Self::Game> + Clone + Debug + 'static;

    /// The game, under the only rules that it has here.
    fn game() -> Self::Game;

    /// The position in which the game begins, chance events of the start included.
    fn start(game: &Self::Game) -> PositionOf<Self>;

    /// The evaluator.
    fn evaluator(game: &Self::Game) -> Self::Evaluator;

    /// The position as a person wants to see it in a terminal; by default as its type is printed.
    fn draw(_: &Self::Game, position: &PositionOf<Self>) -> String {
        format!("{position:#?}")
    }
}

/// A position of an [`OwnGame`].
pub type PositionOf<O> = <<O as OwnGame>::Game as Game>::Position;

/// An [`OwnGame`] with all that a [`KnownGame`] has, by default. Positions are written as the way to them from
/// the start, so what a position is must follow from that way.
pub struct Own<O: OwnGame>(O::Game);

impl<O: OwnGame> Default for Own<O> {
    fn default() -> Self {
        Own(O::game())
    }
}

impl<O: OwnGame> Clone for Own<O> {
    fn clone(&self) -> Self {
        Own(self.0.clone())
    }
}

impl<O: OwnGame> Debug for Own<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// As a pointer to the game it has the game's rules.
impl<O: OwnGame> Deref for Own<O> {
    type Target = O::Game;

    fn deref(&self) -> &O::Game {
        &self.0
    }
}

impl<O: OwnGame> KnownGame for Own<O> {
    fn open(_: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        if ["", RULES].contains(&rules.trim()) {
            Ok(Self::default())
        } else {
            Err(Invalid::new("rules", rules, format_args!("{RULES}, as there are no others")))
        }
    }

    fn rules(&self) -> String {
        RULES.to_owned()
    }

    fn initial(&self) -> Self::Position {
        O::start(self)
    }

    fn parse(&self, text: &str) -> Result<Self::Position, Invalid> {
        self.read(text).map(|(_, position)| position)
    }

    /// Without the way to it a position has no text that could be read.
    fn notation(&self, position: &Self::Position) -> String {
        format!("{position:?}")
    }

    fn read(&self, text: &str) -> Result<(String, Self::Position), Invalid> {
        let (mut way, mut position) = (START.to_owned(), O::start(self));
        let mut rest = text.trim().strip_prefix(START).ok_or_else(|| no_way(text, START))?;
        while !rest.is_empty() {
            let steps = steps(&self.0, &position);
            let left = rest.strip_prefix(BETWEEN).unwrap_or_default();
            let is_next = |(_, step): &&(_, String)| {
                left.strip_prefix(step.as_str())
                    .is_some_and(|more| more.is_empty() || more.starts_with(BETWEEN))
            };
            // The longest, since the text of one step may begin that of another.
            let next = steps.iter().filter(is_next).max_by_key(|(_, step)| step.len());
            let first = steps.first().map_or("nothing more, as the game is over", |(_, step)| step);
            let (step, name) = next.ok_or_else(|| no_way(text, format_args!("{way}{BETWEEN}{first}")))?;
            position = step.take(&self.0, &position);
            rest = &left[name.len()..];
            way = self.write(Some((&way, name)), &position);
        }
        Ok((way, position))
    }

    fn write(&self, before: Option<(&str, &str)>, _: &Self::Position) -> String {
        before.map_or_else(|| START.to_owned(), |(way, step)| format!("{way}{BETWEEN}{step}"))
    }

    fn draw(&self, position: &Self::Position) -> String {
        O::draw(self, position)
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        EVALUATORS.to_vec()
    }

    fn visit_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        _: u64,
        visitor: V,
    ) -> Result<V::Output, Invalid> {
        if name == EVALUATORS[0].name {
            Ok(visitor.visit(BehindPointer(O::evaluator(self))))
        } else {
            Err(Invalid::new("evaluator", name, EVALUATORS[0].name))
        }
    }
}

fn no_way(text: &str, such_as: impl std::fmt::Display) -> Invalid {
    Invalid::new("position", text, format_args!("a way from the start, such as {such_as}"))
}

/// What may happen at a position, with its text.
fn steps<G: Texts>(game: &G, position: &G::Position) -> Vec<(StepOf<G>, String)> {
    let mut steps = Vec::new();
    match game.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => {
            game.moves(position, |mv| steps.push((Step::Move(mv), game.move_text(position, mv))));
        }
        NodeKind::Chance => game.outcomes(position, |outcome, _| {
            steps.push((Step::Outcome(outcome), game.outcome_text(position, outcome)));
        }),
    }
    steps
}
