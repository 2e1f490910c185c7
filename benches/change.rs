//! How long it takes to see what changed, for contracts up to the largest that can be deployed: `cargo bench --bench change`.
//! Beside it stands what it takes to read the code of the build at all.

mod support;

use bellwether::code::{CodeChange, Programs, Stage};
use std::{
    fmt::Write as _,
    hint::black_box,
    io::Write as _,
    time::{Duration, Instant},
};

const ROUNDS: usize = 21;

/// A contract with so many functions, of which one uses this constant.
fn source(functions: usize, constant: u32) -> String {
    let mut source =
        String::from("pragma solidity ^0.8.20;\ncontract Large {\n    mapping(address => uint256[]) public kept;\n");
    for index in 0..functions {
        let number = if index == functions / 2 { constant } else { 1000 + index as u32 };
        let _ = write!(
            source,
            "    function f{index}(address to, uint256[] calldata amounts) external returns (uint256 sum) {{
        for (uint256 i = 0; i < amounts.length; i++) {{
            require(amounts[i] != {number}, \"no {index}\");
            sum += amounts[i] / {number};
        }}
        kept[to].push(sum);
    }}\n"
        );
    }
    source + "}\n"
}

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}

fn main() {
    let mut out = std::io::stdout();
    for functions in [5, 20, 50] {
        let [old, new] = [77, 78].map(|constant| support::compile("Large", &source(functions, constant)));
        let program = new.programs.get(new.programs.id(new.contract, Stage::Runtime));
        let sides = [&old, &new].map(|harness| (&*harness.build, &*harness.programs));
        let read = median(|| drop(black_box(Programs::of(&new.build))));
        let compare = median(|| drop(black_box(CodeChange::between(sides[0], sides[1]))));
        let same = median(|| drop(black_box(CodeChange::between(sides[0], sides[0]))));
        let changed = CodeChange::between(sides[0], sides[1]).changed().count();
        let _ = writeln!(
            out,
            "{:>6} bytes, {:>5} blocks, {changed} changed: read {read:>9.2?}, compared {compare:>9.2?}, where nothing changed {same:>9.2?}",
            program.code.len(),
            program.blocks.len(),
        );
    }
}
