//! Look-ups and stores a second, of every table and of a plain array of cache lines: the absolute numbers.
//! What they are in proportion to each other, `table_ratios` tells better.

mod workload;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;
use workload::{Field, Pattern, RAW, SIZES, TABLES, THREADS};

fn tables(c: &mut Criterion) {
    for (size, buckets) in SIZES {
        for threads in THREADS {
            let mut field = Field::new(buckets);
            let mut group = c.benchmark_group(format!("{size}/threads-{threads}"));
            group.throughput(Throughput::Elements(1));
            group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
            group.sample_size(30);
            for pattern in Pattern::ALL {
                for name in [RAW].into_iter().chain(TABLES) {
                    group.bench_function(format!("{}/{name}", pattern.name()), |b| {
                        b.iter_custom(|count| {
                            let first = field.advance(count);
                            field.time(name, pattern, threads, first, count)
                        });
                    });
                }
            }
            group.finish();
        }
    }
}

criterion_group!(benches, tables);
criterion_main!(benches);
