#[test]
fn perf() {
    let mut place = crate::support::Place::new();
    place.editor("project/a.txt");
    let harness = place.harness();
    let t = std::time::Instant::now();
    for _ in 0..500 {
        crate::support::ask(&harness, &place).unwrap();
    }
    eprintln!("PERF {:?} a prompt incl. validation (debug)", t.elapsed() / 500);
    let request = harness.request("prompt", place.path("project"));
    let t = std::time::Instant::now();
    for _ in 0..500 {
        harness.raw("event", &request).unwrap();
    }
    eprintln!("PERF {:?} a prompt raw (debug)", t.elapsed() / 500);
}
