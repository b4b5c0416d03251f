//! Tells of each library for products of matrices whether a row has the same bits alone and in company, and
//! which libraries have the same bits, as tables in Markdown.
//!
//! `cargo run --release --bin libraries`

use anyhow::Result;
use starsplit::evaluator::mix64;
use starsplit_onnx::company::{Bits, Company};
use starsplit_onnx::products::{Weights, products};
use starsplit_onnx::versions::{processor, told};

/// How many terms the sums have.
const TERMS: [usize; 4] = [64, 256, 512, 1024];

/// How many outputs a row has.
const OUTPUTS: usize = 256;

/// How many different rows there are.
const ROWS: usize = 256;

/// A size of calls at which the bits of the libraries are compared, beside one row alone.
const FULL: usize = 64;

/// Numbers between -1 and 1, others for each seed.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let number = |place| (mix64(mix64(seed) ^ place) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    (0..count as u64).map(number).collect()
}

/// A letter for each way, by number of terms; those with the same bits have the same letter.
#[derive(Default)]
struct Letters(Vec<Bits>);

impl Letters {
    fn of(&mut self, bits: Option<&Bits>) -> char {
        let Some(bits) = bits else { return '?' };
        let place = self.0.iter().position(|own| own == bits).unwrap_or_else(|| {
            self.0.push(bits.clone());
            self.0.len() - 1
        });
        char::from(b'A' + place as u8)
    }
}

fn print_table(head: &str, lines: &[(&str, Vec<String>)]) {
    let terms = TERMS.map(|terms| format!("{terms} terms"));
    println!("| {head} | {} |\n|---|{}", terms.join(" | "), "---|".repeat(TERMS.len()));
    lines.iter().for_each(|(name, cells)| println!("| {name} | {} |", cells.join(" | ")));
}

fn main() -> Result<()> {
    println!("{}", told(&["matrixmultiply", "gemm", "candle-core", "tract-onnx"]));
    println!("{}; rows of {OUTPUTS} outputs\n", processor());
    let mut companies: Vec<(&str, Vec<String>)> = Vec::new();
    let mut letters: Vec<(&str, Vec<String>)> = Vec::new();
    for terms in TERMS {
        let (rows, right) = (numbers(ROWS * terms, 1), numbers(terms * OUTPUTS, 2));
        let weights = Weights { numbers: &right, terms, outputs: OUTPUTS };
        let mut known = Letters::default();
        for (number, (name, run)) in products(weights)?.into_iter().enumerate() {
            let company = Company::of(&rows, terms, run)?;
            let (alone, full) = (known.of(company.at(1)), known.of(company.at(FULL)));
            if companies.len() == number {
                companies.push((name, Vec::new()));
                letters.push((name, Vec::new()));
            }
            companies[number].1.push(company.to_string());
            letters[number].1.push(format!("{alone} {full}"));
        }
    }
    print_table("the same bits in calls of 1 to 256 rows", &companies);
    println!();
    print_table("the bits of one row alone and in calls of 64 (the same letter: the same bits)", &letters);
    Ok(())
}
