use crate::games::ur::{Author, Race, Ur};
use starsplit_testkit::{Plays, check};
#[test]
fn try_it() {
    for (pieces, author) in [
        (7, Author::Careful),
        (2, Author::Careful),
        (2, Author::ForgetsTheOther),
        (2, Author::Miscounts),
        (2, Author::ThrowsCoins),
        (2, Author::RollsAgain),
    ] {
        let game = Ur::new(pieces, author);
        let begun = std::time::Instant::now();
        match check(&game, &Race, &game.start(), &Plays::default()) {
            Ok(r) => println!("{pieces} {author:?} {:?}\n{r}", begun.elapsed()),
            Err(v) => println!("{pieces} {author:?} VIOLATION {v}"),
        }
    }
}
