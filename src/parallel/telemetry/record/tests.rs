use super::*;

#[test]
fn values_are_recorded_as_they_are() {
    let mut record = Record::new(Clocked::Busy, 0);
    for size in [1, 1_000, 1_000_000_000_000] {
        record.task(size, 2 * size);
    }
    let worker = record.close(Stats::default(), 0);
    let is_near = |found: u64, size: u64| found >= size && found <= size + size / 100;
    assert!(is_near(worker.task_nodes.max(), 1_000_000_000_000));
    assert!(is_near(worker.task_ns.max(), 2_000_000_000_000));
    assert!(is_near(worker.task_nodes.quantile(0.5), 1_000));
    let mut sum = WorkerStats::default();
    sum.add(&worker);
    assert_eq!(sum.task_ns, worker.task_ns);
}
