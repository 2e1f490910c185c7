//! The lines of a test, laid out like those of `forge fmt`: a statement too long for one line is broken in the same places.

use crate::{
    evm::Moment,
    input::print::{self, solidity_string},
};
use alloy_primitives::hex;
use std::fmt::Write;

/// The widest line, in bytes: the default of `forge fmt`.
const WIDTH: usize = 120;

/// An expression of type `bytes`.
#[derive(Debug)]
pub(super) enum Data {
    /// A function of `abi`, with its arguments.
    Encoded(&'static str, Vec<String>),
    /// A literal.
    Raw(Vec<u8>),
    /// A variable.
    Variable(&'static str),
}

/// Statements, one a line, in a function of a contract.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) text: String,
    /// Indentation beyond that of the function's body.
    pub(super) indent: &'static str,
}

impl Lines {
    /// A blank line, unless there is one.
    pub(super) fn blank(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "        {}{line}", self.indent);
    }

    pub(super) fn moment(&mut self, moment: Moment) {
        self.line(&format!("vm.warp({});", grouped(&moment.timestamp.to_string())));
        self.line(&format!("vm.roll({});", grouped(&moment.number.to_string())));
    }

    /// Sets the fields of the block that differ from the block before, or from the default block if there was none.
    pub(super) fn block(&mut self, block: Moment, before: Option<Moment>) {
        let before = before.unwrap_or(Moment::new(block.timestamp, block.number));
        if block.prevrandao != before.prevrandao {
            self.line(&format!("vm.prevrandao(uint256({}));", block.prevrandao));
        }
        if block.base_fee != before.base_fee {
            self.line(&format!("vm.fee({});", grouped(&block.base_fee.to_string())));
        }
        if block.coinbase != before.coinbase {
            self.line(&format!("vm.coinbase({});", block.coinbase));
        }
    }

    pub(super) fn require(&mut self, condition: &str, message: &str) {
        self.call("require", &[condition.to_owned(), solidity_string(message)], ";");
    }

    /// Declares a variable with creation code and the constructor arguments after it.
    pub(super) fn code(&mut self, name: &str, creation: &str, arguments: &Data) {
        match arguments {
            Data::Encoded(_, none) if none.is_empty() => self.code_alone(name, creation),
            Data::Raw(none) if none.is_empty() => self.code_alone(name, creation),
            _ => {
                let arguments = [creation.to_owned(), arguments.expression()];
                let expression = format!("abi.encodePacked({});", arguments.join(", "));
                let head = format!("bytes memory {name} =");
                if width(8, &head) + 1 + expression.len() > WIDTH && width(12, &expression) <= WIDTH {
                    self.line(&head);
                    self.line(&format!("    {expression}"));
                } else {
                    self.call(&format!("{head} abi.encodePacked"), &arguments, ";");
                }
            }
        }
    }

    fn code_alone(&mut self, name: &str, creation: &str) {
        let line = format!("bytes memory {name} = {creation};");
        if width(8, &line) > WIDTH {
            self.line(&format!("bytes memory {name} ="));
            self.line(&format!("    {creation};"));
        } else {
            self.line(&line);
        }
    }

    /// `head(arguments)tail`, on as many lines as needed.
    pub(super) fn call(&mut self, head: &str, arguments: &[String], tail: &str) {
        for line in wrapped(8 + self.indent.len(), head, arguments, tail) {
            self.line(&line);
        }
    }

    /// `head(arguments) returns (returned) {`, on as many lines as needed.
    pub(super) fn try_call(&mut self, head: &str, arguments: &[String], returned: &str) {
        let one_line = format!("{head}({}) returns ({returned}) {{", arguments.join(", "));
        if width(8 + self.indent.len(), &one_line) <= WIDTH {
            return self.line(&one_line);
        }
        self.call(head, arguments, " returns (");
        self.line(&format!("    {returned}"));
        self.line(") {");
    }

    pub(super) fn low_level_call(&mut self, results: &str, callee: &str, data: &Data) {
        let expression = data.expression();
        let one_line = format!("{callee}({expression});");
        if width(8, results) + 1 + width(0, &one_line) > WIDTH && !callee.contains('{') && width(12, &one_line) <= WIDTH
        {
            self.line(results);
            self.line(&format!("    {one_line}"));
            return;
        }
        let head = format!("{results} {callee}");
        match data {
            Data::Encoded(function, arguments) if width(8, &head) + expression.len() + 3 > WIDTH => {
                self.line(&format!("{head}("));
                for line in wrapped(12, function, arguments, "") {
                    self.line(&format!("    {line}"));
                }
                self.line(");");
            }
            _ => self.call(&head, &[expression], ";"),
        }
    }
}

impl Data {
    /// As an expression.
    pub(super) fn expression(&self) -> String {
        match self {
            Self::Encoded(function, arguments) => format!("{function}({})", arguments.join(", ")),
            Self::Raw(bytes) => format!("hex\"{}\"", hex::encode(bytes)),
            Self::Variable(name) => (*name).to_owned(),
        }
    }
}

/// A call at this column: on one line, with its arguments on a line of their own, or with one line for each argument.
fn wrapped(column: usize, head: &str, arguments: &[String], tail: &str) -> Vec<String> {
    let joined = arguments.join(", ");
    let one_line = format!("{head}({joined}){tail}");
    if width(column, &one_line) <= WIDTH || arguments.is_empty() {
        return vec![one_line];
    }
    let mut lines = vec![format!("{head}(")];
    if width(column + 4, &joined) <= WIDTH {
        lines.push(format!("    {joined}"));
    } else {
        let last = arguments.len() - 1;
        let comma = |index| if index == last { "" } else { "," };
        lines.extend(arguments.iter().enumerate().map(|(index, argument)| format!("    {argument}{}", comma(index))));
    }
    lines.push(format!("){tail}"));
    lines
}

/// The width in bytes, which `forge fmt` counts.
fn width(column: usize, text: &str) -> usize {
    column + text.len()
}

/// A number with the digit separators that Solidity uses for long ones.
pub(super) fn grouped(text: &str) -> String {
    print::grouped(text, '_')
}

/// A path as a string literal: solc takes no `unicode` string there.
pub(super) fn path_string(path: &str) -> String {
    let mut literal = String::from('"');
    for c in path.chars() {
        let _ = match u32::from(c) {
            0x22 | 0x5c => write!(literal, "\\{c}"),
            0x20..=0x7e => write!(literal, "{c}"),
            code @ ..=0xffff => write!(literal, "\\u{code:04x}"),
            _ => c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(literal, "\\x{byte:02x}")),
        };
    }
    literal + "\""
}

/// A comment line that begins with a space. It contains no character that ends the line or changes the direction of text,
/// which solc rejects, and long arguments are shortened.
pub(super) fn comment_line(line: &str) -> String {
    const LONGEST: usize = 300;
    let line = line.trim_end();
    let mut text = String::new();
    for c in line.chars().take(LONGEST) {
        if c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}') {
            text.extend(c.escape_unicode());
        } else {
            text.push(c);
        }
    }
    let rest = if line.chars().nth(LONGEST).is_some() { " …" } else { "" };
    if text.is_empty() { text } else { format!(" {text}{rest}") }
}
