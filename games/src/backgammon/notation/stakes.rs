//! What XGIDs and match IDs say of the cube and the match. The game has neither: a program says that it does
//! not use them, so that nobody takes a value for one of the match.

use crate::Invalid;
use starsplit::game::Player;

/// The cube and the match as a text tells them. By default a game for money with the cube in the middle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stakes {
    /// How often the cube was turned, and whose it is.
    turns: u32,
    owner: Option<Player>,
    /// What somebody offers and the other has not answered.
    offer: Option<&'static str>,
    /// Of x, and of o.
    score: [u32; 2],
    /// To how many points the match is; 0 of a game for money.
    length: u32,
    /// What else is agreed.
    rules: Option<&'static str>,
    /// How often the cube may be turned, where that is unusual.
    most_turns: Option<u32>,
}

/// How often an XGID says that the cube may be turned where nobody has chosen that.
const USUAL_TURNS: u32 = 10;

/// The greatest number of turns, points and the like that is read.
const MOST_TURNS: u32 = 30;
const MOST_POINTS: u32 = 32_767;

impl Stakes {
    /// Of the fields of an XGID. Those at the end may be missing.
    pub(super) fn of_xgid(fields: &[&str]) -> Result<Self, Invalid> {
        let number = |place: usize, what: &str, most: u32, default: u32| match fields.get(place) {
            None => Ok(default),
            Some(text) => text.parse().ok().filter(|&number| number <= most).ok_or_else(|| {
                Invalid::new(&format!("XGID's {what}"), text, format_args!("a number from 0 to {most}"))
            }),
        };
        let owner = match fields.get(2) {
            None | Some(&"0") => None,
            Some(&"1") => Some(Player::Max),
            Some(&"-1") => Some(Player::Min),
            Some(text) => return Err(Invalid::new("XGID's owner of the cube", text, "1, 0 or -1")),
        };
        let length = number(8, "match length", MOST_POINTS, 0)?;
        let rules = match number(7, "field of Crawford and Jacoby", if length > 0 { 1 } else { 3 }, 0)? {
            0 => None,
            _ if length > 0 => Some("Crawford"),
            1 => Some("Jacoby"),
            2 => Some("beavers"),
            _ => Some("Jacoby, beavers"),
        };
        let most_turns = number(9, "maximum of the cube", MOST_TURNS, USUAL_TURNS)?;
        Ok(Stakes {
            turns: number(1, "cube", MOST_TURNS, 0)?,
            owner,
            offer: None,
            score: [number(5, "score of x", MOST_POINTS, 0)?, number(6, "score of o", MOST_POINTS, 0)?],
            length,
            rules,
            most_turns: (most_turns != USUAL_TURNS).then_some(most_turns),
        })
    }

    /// Of the bits of a match ID: the cube (0 to 3), its owner (4 and 5), Crawford (7), a double (12) or a
    /// resignation (13 and 14) that is offered, the match's length (21 to 35), and the scores of o and of x.
    /// Older IDs do not say whether Jacoby's rule holds, so what an ID says of it is not told.
    pub(super) fn of_match(bits: u128) -> Self {
        let field = |first: u32, count: u32| (bits >> first & ((1 << count) - 1)) as u32;
        Stakes {
            turns: field(0, 4),
            owner: match field(4, 2) {
                0 => Some(Player::Min),
                1 => Some(Player::Max),
                _ => None,
            },
            offer: match (field(12, 1), field(13, 2)) {
                (1, _) => Some("a double that is offered"),
                (_, 1..) => Some("a resignation that is offered"),
                _ => None,
            },
            score: [field(51, 15), field(36, 15)],
            length: field(21, 15),
            rules: (field(7, 1) == 1).then_some("Crawford"),
            most_turns: None,
        }
    }

    /// What of it is not as in a game for money whose cube is in the middle; `None` where nothing is.
    pub(super) fn words(&self) -> Option<String> {
        let mut words = Vec::new();
        let cube = 1_u64 << self.turns;
        match self.owner {
            Some(owner) => words.push(format!("cube {cube} of {}", super::sign(owner))),
            None if self.turns > 0 => words.push(format!("cube {cube} in the middle")),
            None => {}
        }
        words.extend(self.offer.map(str::to_owned));
        let [of_x, of_o] = self.score;
        if self.score != [0, 0] {
            words.push(format!("score {of_x}-{of_o} of x and o"));
        }
        if self.length > 0 {
            words.push(format!("match to {}", self.length));
        }
        words.extend(self.rules.map(str::to_owned));
        words.extend(self.most_turns.map(|turns| format!("cube to {} at most", 1_u64 << turns)));
        let told = words.join(", ");
        (!told.is_empty()).then(|| format!("{told} (values are of a game without cube and match)"))
    }
}
