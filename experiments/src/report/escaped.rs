//! Text of records on pages of Markdown. A record may come from anywhere: what it says is shown, and does
//! nothing else.

use std::borrow::Cow;

/// The longest text of a record that a page shows, in bytes.
const LONGEST: usize = 1_000;

/// Text as Markdown shows it: it begins nothing, ends no cell, and stays on its line.
pub(super) fn plain(text: &str) -> String {
    // What makes a link, or a picture, is what follows the brackets.
    shown(text, |letter| matches!(letter, '\\' | '`' | '<' | '|' | '*')).replace("](", "]\\(")
}

/// Text in a span of code that stands in a cell of a table, where a bar alone has to be escaped.
pub(super) fn code(text: &str) -> String {
    shown(&text.replace('`', "'"), |letter| letter == '|')
}

/// A line of code by itself.
pub(super) fn code_line(text: &str) -> String {
    shown(text, |_| false)
}

/// What a page's author wrote, without what would not be seen.
pub(super) fn prose(text: &str) -> Cow<'_, str> {
    let is_hidden = |letter: char| is_hidden(letter) && letter != '\n';
    if text.contains(is_hidden) { text.replace(is_hidden, "\u{fffd}").into() } else { text.into() }
}

/// Control characters, and those that turn the direction of what follows.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

fn shown(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len().min(LONGEST));
    for letter in text.chars() {
        match letter {
            _ if shown.len() > LONGEST => return shown + "...",
            hidden if is_hidden(hidden) => shown.push('\u{fffd}'),
            letter if is_escaped(letter) => shown.extend(['\\', letter]),
            letter => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// What a text comes to that is more than words, and how many cells of a table.
    fn made(markdown: &str) -> (Vec<String>, usize) {
        let (mut made, mut cells) = (Vec::new(), 0);
        for event in Parser::new_ext(markdown, Options::all()) {
            match event {
                Event::Start(Tag::TableCell) => cells += 1,
                Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::Paragraph) => {}
                Event::Start(tag) => made.push(format!("{tag:?}")),
                Event::Html(text) | Event::InlineHtml(text) => made.push(text.to_string()),
                _ => {}
            }
        }
        (made, cells)
    }

    #[test]
    fn what_a_record_says_does_nothing_on_a_page() {
        let texts = [
            "<script>x</script>",
            "a|b",
            "[x](http://y)",
            "![x](y)",
            "`x",
            "**x**",
            "\\|",
            "# x",
            "a\n\n# b",
        ];
        for text in texts {
            for (cell, what) in [(plain(text), "plain"), (format!("`{}`", code(text)), "code")] {
                let page = format!("| a | b |\n|---|---|\n| {cell} | c |\n");
                assert_eq!(made(&page), (Vec::new(), 4), "{what} {text:?}: {page}");
            }
        }
        // The texts as they are do something.
        assert!(texts.iter().any(|text| !made(text).0.is_empty()));
    }

    #[test]
    fn what_is_usual_stays_as_it_is() {
        let usual = "2048, size=5,run=4 both/table_depth=3 (x) 1.5 > 1 & x-y_z";
        assert_eq!(
            (plain(usual), code(usual), prose(usual).into_owned()),
            (usual.into(), usual.into(), usual.into())
        );
    }

    #[test]
    fn long_and_hidden_text_is_cut_and_marked() {
        for text in [plain, code, code_line].map(|shown| shown(&"x\u{1b}[\u{202e}\u{7f}\r\n".repeat(20_000)))
        {
            assert!(
                text.len() < LONGEST + 10 && text.ends_with("...") && !text.contains(is_hidden),
                "{text:?}"
            );
        }
        assert_eq!(prose("a\nb\u{1b}c"), "a\nb\u{fffd}c");
    }
}
