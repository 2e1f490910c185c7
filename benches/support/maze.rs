//! A [`Maze`] is a contract made at random, with a known answer: a grid of cells, each a nest of comparisons over eight
//! numbers, with assertions in it. For every assertion that can fail the generator knows numbers that make it fail, since
//! it drew the comparisons around them; every other one stands behind two comparisons that exclude each other.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

/// Cells in a row and in a column.
const SIDE: u64 = 5;
/// Numbers that each move is given.
const NUMBERS: usize = 8;
/// Comparisons inside each other, at most.
const DEPTH: u32 = 16;

/// A contract and what is known of it.
pub struct Maze {
    /// Its source; the contract is called `Maze`, and each assertion stands on a line of its own.
    pub source: String,
    /// Lines (from 1) of assertions that can fail.
    pub feasible: Vec<u32>,
    /// Lines of those that cannot.
    pub infeasible: Vec<u32>,
}

/// A sum of some of the numbers with small factors, modulo 2^64.
#[derive(Clone)]
struct Sum {
    terms: Vec<(u64, usize)>,
    constant: u64,
}

impl Sum {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        let mut terms: Vec<(u64, usize)> = Vec::new();
        for _ in 0..rng.random_range(1..=3_u32) {
            let number = rng.random_range(0..NUMBERS as u32) as usize;
            if !terms.iter().any(|(_, known)| *known == number) {
                terms.push(([1, 1, 2, 3, 7, 13][rng.random_range(0..6_u32) as usize], number));
            }
        }
        Self { terms, constant: rng.random_range(0..1_000_u64) }
    }

    fn at(&self, numbers: &[u64; NUMBERS]) -> u64 {
        let terms = self.terms.iter().map(|(factor, number)| factor.wrapping_mul(numbers[*number]));
        terms.fold(self.constant, u64::wrapping_add)
    }

    fn text(&self) -> String {
        let term = |(factor, number): &(u64, usize)| match factor {
            1 => format!("p{number}"),
            _ => format!("{factor} * p{number}"),
        };
        let terms: Vec<String> = self.terms.iter().map(term).collect();
        format!("{} + {}", terms.join(" + "), self.constant)
    }
}

/// Writes the source line by line.
struct Writer {
    rng: ChaCha8Rng,
    source: String,
    line: u32,
    feasible: Vec<u32>,
    infeasible: Vec<u32>,
}

impl Writer {
    fn line(&mut self, indent: u32, text: &str) {
        let _ = writeln!(self.source, "{:1$}{text}", "", 4 * indent as usize);
        self.line += 1;
    }

    /// An assertion that fails whenever it is reached.
    fn assertion(&mut self, indent: u32, can_fail: bool) {
        let line = self.line;
        if can_fail { &mut self.feasible } else { &mut self.infeasible }.push(line);
        self.line(indent, "assert(false);");
    }

    /// A comparison that holds for these numbers.
    fn comparison(&mut self, numbers: &[u64; NUMBERS]) -> String {
        let (left, right) = (Sum::draw(&mut self.rng), Sum::draw(&mut self.rng));
        let value = left.at(numbers);
        let against_constant = self.rng.random_range(0..3_u32) > 0;
        // The other side: some number that lets the comparison hold, or another sum that happens to.
        let (operator, other) = if against_constant {
            let room = u64::MAX - value;
            match self.rng.random_range(0..4_u32) {
                0 | 1 => ("==", value.to_string()),
                2 => ("<=", (value + self.rng.random_range(0..=room.min(5_000))).to_string()),
                _ => (">=", (value - self.rng.random_range(0..=value.min(5_000))).to_string()),
            }
        } else {
            let operator = match value.cmp(&right.at(numbers)) {
                std::cmp::Ordering::Less => "<",
                std::cmp::Ordering::Equal => "==",
                std::cmp::Ordering::Greater => ">",
            };
            (operator, right.text())
        };
        format!("{} {operator} {other}", left.text())
    }

    /// A nest of comparisons: the way inside holds for `numbers`, beside it there are other nests or nothing.
    fn nest(&mut self, indent: u32, depth: u32, numbers: &[u64; NUMBERS]) {
        if depth == 0 {
            return self.assertion(indent, true);
        }
        let comparison = self.comparison(numbers);
        self.line(indent, &format!("if ({comparison}) {{"));
        match self.rng.random_range(0..8_u32) {
            0 => {
                // What holds outside is denied inside: nobody gets there.
                self.line(indent + 1, &format!("if (!({comparison})) {{"));
                self.assertion(indent + 2, false);
                self.line(indent + 1, "}");
            }
            1 => {
                let others = self.numbers();
                let aside = self.comparison(&others);
                self.line(indent + 1, &format!("if ({aside}) {{ trace = {}; }}", indent * 31 + depth));
            }
            _ => {}
        }
        self.nest(indent + 1, depth - 1, numbers);
        self.line(indent, "}");
    }

    fn numbers(&mut self) -> [u64; NUMBERS] {
        std::array::from_fn(|_| {
            let bits = self.rng.random_range(1..=64_u32);
            self.rng.random::<u64>() >> (64 - bits)
        })
    }
}

impl Maze {
    /// The maze of this seed.
    pub fn new(seed: u64) -> Self {
        let mut writer = Writer {
            rng: ChaCha8Rng::seed_from_u64(seed),
            source: String::new(),
            line: 1,
            feasible: Vec::new(),
            infeasible: Vec::new(),
        };
        let parameters: Vec<String> = (0..NUMBERS).map(|number| format!("uint64 p{number}")).collect();
        let arguments: Vec<String> = (0..NUMBERS).map(|number| format!("p{number}")).collect();
        let (parameters, arguments) = (parameters.join(", "), arguments.join(", "));
        for text in ["// SPDX-License-Identifier: MIT", "pragma solidity ^0.8.20;", "contract Maze {"] {
            writer.line(0, text);
        }
        for text in ["uint64 private x;", "uint64 private y;", "uint256 private trace;"] {
            writer.line(1, text);
        }
        for (name, condition, change) in [
            ("east", format!("x + 1 < {SIDE}"), "x += 1;"),
            ("west", "x > 0".to_owned(), "x -= 1;"),
            ("south", format!("y + 1 < {SIDE}"), "y += 1;"),
            ("north", "y > 0".to_owned(), "y -= 1;"),
        ] {
            writer.line(1, &format!("function {name}({parameters}) external {{"));
            writer.line(2, &format!("require({condition});"));
            writer.line(2, change);
            writer.line(2, &format!("step(x, y, {arguments});"));
            writer.line(1, "}");
        }
        writer.line(1, &format!("function step(uint64 atX, uint64 atY, {parameters}) private {{"));
        writer.line(2, "unchecked {");
        for cell in 0..SIDE * SIDE {
            // Nobody steps into the cell where everybody begins but by coming back.
            let (x, y) = (cell % SIDE, cell / SIDE);
            writer.line(3, &format!("if (atX == {x} && atY == {y}) {{"));
            for _ in 0..writer.rng.random_range(1..=2_u32) {
                let depth = writer.rng.random_range(1..=DEPTH);
                let numbers = writer.numbers();
                writer.nest(4, depth, &numbers);
            }
            writer.line(3, "}");
        }
        writer.line(2, "}");
        writer.line(1, "}");
        writer.line(0, "}");
        Self { source: writer.source, feasible: writer.feasible, infeasible: writer.infeasible }
    }
}
