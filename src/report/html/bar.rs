//! A share of a whole, as a number and a bar.

/// A share in percent that is 100 only for all of it, with a bar.
pub(super) fn bar(reached: usize, all: usize) -> String {
    let Some(percent) = (reached * 100).checked_div(all) else { return "<span class=\"share\">–</span>".to_owned() };
    format!(
        "<span class=\"share\"><meter min=\"0\" max=\"100\" value=\"{percent}\"></meter> {percent} % <small>{reached} of {all}</small></span>"
    )
}
