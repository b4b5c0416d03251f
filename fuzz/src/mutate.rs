//! Changes of bytes at random, the same for the same seed.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// A source of changes.
#[derive(Debug)]
pub struct Mutator<'w> {
    random: Pcg64,
    words: &'w [Vec<u8>],
    longest: usize,
}

impl<'w> Mutator<'w> {
    /// One that puts in these words, and makes nothing longer than `longest`.
    pub fn new(seed: u64, words: &'w [Vec<u8>], longest: usize) -> Self {
        Mutator { random: Pcg64::seed_from_u64(seed), words, longest }
    }

    /// One of the numbers below `end`; 0 where there are none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.random.next_u64() % end.max(1) as u64) as usize
    }

    /// The bytes with one to four changes; `others` are what parts may come from.
    pub fn mutated(&mut self, bytes: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let other = others.get(self.below(others.len())).map_or(&[][..], Vec::as_slice);
            self.change(&mut bytes, other);
        }
        bytes.truncate(self.longest);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        match self.below(12) {
            0 | 1 => self.flip(bytes),
            2 => {
                let byte = self.random.next_u64() as u8;
                self.overwrite(bytes, &[byte]);
            }
            3 => {
                let byte = self.random.next_u64() as u8;
                self.insert(bytes, &[byte]);
            }
            4 => drop(self.cut(bytes)),
            5 => self.number(bytes),
            6 | 7 => {
                let word = self.word();
                self.insert(bytes, &word);
            }
            8 => {
                let word = self.word();
                self.overwrite(bytes, &word);
            }
            9 => {
                let part = self.part(bytes).to_vec();
                self.insert(bytes, &part);
            }
            10 => {
                let part = self.part(other).to_vec();
                if self.below(2) == 0 { self.insert(bytes, &part) } else { self.overwrite(bytes, &part) }
            }
            _ => self.splice(bytes, other),
        }
    }

    fn flip(&mut self, bytes: &mut [u8]) {
        let (place, bit) = (self.below(bytes.len()), self.below(8));
        bytes.get_mut(place).into_iter().for_each(|byte| *byte ^= 1 << bit);
    }

    fn overwrite(&mut self, bytes: &mut [u8], part: &[u8]) {
        let place = self.below(bytes.len());
        bytes[place..].iter_mut().zip(part).for_each(|(byte, &new)| *byte = new);
    }

    fn insert(&mut self, bytes: &mut Vec<u8>, part: &[u8]) {
        let place = self.below(bytes.len() + 1);
        bytes.splice(place..place, part.iter().copied());
    }

    /// Takes a part out.
    fn cut(&mut self, bytes: &mut Vec<u8>) -> Vec<u8> {
        let (start, end) = self.range(bytes.len());
        bytes.drain(start..end).collect()
    }

    /// The beginning of the one, and the end of the other.
    fn splice(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        bytes.truncate(self.below(bytes.len() + 1));
        bytes.extend(&other[self.below(other.len() + 1)..]);
    }

    /// Another number in the place of one that is written in digits.
    fn number(&mut self, bytes: &mut Vec<u8>) {
        const NUMBERS: [&str; 12] = [
            "0",
            "1",
            "2",
            "7",
            "255",
            "256",
            "-1",
            "4294967296",
            "9223372036854775808",
            "18446744073709551616",
            "1e400",
            "0.1",
        ];
        let digits: Vec<usize> = (0..bytes.len()).filter(|&place| bytes[place].is_ascii_digit()).collect();
        let Some(&start) = digits.get(self.below(digits.len())) else { return };
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = NUMBERS[self.below(NUMBERS.len())];
        bytes.splice(start..start + length, number.bytes());
    }

    fn word(&mut self) -> Vec<u8> {
        self.words.get(self.below(self.words.len())).cloned().unwrap_or_default()
    }

    /// A part, short ones as likely as long ones.
    fn part<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let (start, end) = self.range(bytes.len());
        &bytes[start..end]
    }

    fn range(&mut self, length: usize) -> (usize, usize) {
        let start = self.below(length);
        let bits = self.below(usize::BITS as usize - length.leading_zeros() as usize + 1);
        (start, (start + 1 + self.below(1 << bits)).min(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_stands_for_its_changes_and_all_fit() {
        let (words, others) = (vec![b"word".to_vec()], vec![b"others are long".to_vec(), vec![]]);
        let made = |seed| {
            let mut mutator = Mutator::new(seed, &words, 24);
            (0..2_000).map(|_| mutator.mutated(b"threads=12, size=5", &others)).collect::<Vec<_>>()
        };
        let (one, again, two) = (made(1), made(1), made(2));
        assert!(one == again && one != two);
        assert!(one.iter().all(|bytes| bytes.len() <= 24));
        let has = |part: &[u8]| one.iter().any(|bytes| bytes.windows(part.len()).any(|found| found == part));
        assert!(has(b"word") && has(b"others") && has(b"size=255") && has(b"thth"));
    }

    #[test]
    fn nothing_can_be_changed_too() {
        let mut mutator = Mutator::new(3, &[], 8);
        for _ in 0..1_000 {
            assert!(mutator.mutated(&[], &[]).len() <= 8);
        }
    }
}
