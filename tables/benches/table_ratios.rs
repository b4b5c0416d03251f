//! What a table costs beyond its memory: the rate of look-ups and stores against the rate at which an array
//! of the same size is read, or read and written, at the same random places a cache line at a time.
//!
//! `cargo bench --bench table_ratios` prints medians and quartiles. The processor's speed changes from second
//! to second, so every ratio is of two short blocks, one straight after the other. `-- 1-GiB/2` and the like
//! restrict it to lines whose size, threads, pattern and table, so written, contain the text.

mod workload;

use workload::{Field, Pattern, RAW, SIZES, TABLES, THREADS};

/// Pairs of blocks for each line of the table.
const PAIRS: usize = 401;

/// Look-ups or stores of a thread in a block.
const BLOCK: u64 = 1 << 13;

/// Rates and their ratio.
struct Pair {
    raw: f64,
    table: f64,
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    // Without this the target was not started as a benchmark, and there is nothing to test.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("| size | threads | pattern | table | raw, M/s | table, M/s | table/raw | quartiles |");
    println!("|---|---|---|---|---|---|---|---|");
    for (size, buckets) in SIZES {
        for threads in THREADS {
            let lines = Pattern::ALL.into_iter().flat_map(|pattern| TABLES.map(|table| (pattern, table)));
            let is_wanted = |(pattern, table): &(Pattern, &str)| {
                format!("{size}/{threads}/{}/{table}", pattern.name()).contains(&wanted)
            };
            let lines: Vec<_> = lines.filter(is_wanted).collect();
            if lines.is_empty() {
                continue;
            }
            let mut field = Field::new(buckets);
            for (pattern, table) in lines {
                let pairs = measure(&mut field, table, pattern, threads);
                println!("| {size} | {threads} | {} | {table} {}", pattern.name(), line(&pairs));
            }
        }
    }
}

fn measure(field: &mut Field, table: &str, pattern: Pattern, threads: usize) -> Vec<Pair> {
    let count = BLOCK * threads as u64;
    let mut pairs = Vec::new();
    for _ in 0..PAIRS {
        let first = field.advance(count);
        let rate = |subject: &str| {
            count as f64 / field.time(subject, pattern, threads, first, count).as_secs_f64() / 1e6
        };
        pairs.push(Pair { raw: rate(RAW), table: rate(table) });
    }
    pairs
}

/// The end of a line of the table.
fn line(pairs: &[Pair]) -> String {
    let [_, raw, _] = quartiles(pairs.iter().map(|pair| pair.raw));
    let [_, table, _] = quartiles(pairs.iter().map(|pair| pair.table));
    let [low, ratio, high] = quartiles(pairs.iter().map(|pair| pair.table / pair.raw));
    format!("| {raw:.1} | {table:.1} | {ratio:.2} | {low:.2} to {high:.2} |")
}

fn quartiles(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[quarter * (values.len() - 1) / 4])
}
