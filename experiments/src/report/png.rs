//! Pictures as PNG, for papers and slides whose programs read no SVG.

use crate::report::curves::Panel;
use crate::report::picture::{SIZE, draw};
use anyhow::{Context, anyhow};
use plotters::prelude::BitMapBackend;
use plotters::style::{FontStyle, register_font};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The keyword of the PNG's text that names its maker.
const MAKER: &str = "Software";

/// The panel's curves under these names as PNG, with its maker's name.
///
/// # Errors
/// When it cannot be drawn, which has no reason that is known.
pub(super) fn png_of(panel: &Panel, names: &[String], maker: &str) -> anyhow::Result<Vec<u8>> {
    // The machine's own fonts are not looked for: there may be none, and pictures would differ.
    register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|_| anyhow!("the font of pictures cannot be read"))?;
    let (width, height) = SIZE;
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    draw(panel, names, BitMapBackend::with_buffer(&mut pixels, SIZE)).map_err(|error| anyhow!(error))?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_text_chunk(MAKER.to_owned(), maker.to_owned()).context("the PNG's maker")?;
    let mut writer = encoder.write_header().context("the PNG's header")?;
    writer.write_image_data(&pixels).context("the PNG's pixels")?;
    writer.finish().context("the PNG's end")?;
    Ok(file)
}

/// Whether a file is a PNG of this maker.
pub(super) fn is_of(path: &Path, maker: &str) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let Ok(reader) = png::Decoder::new(BufReader::new(file)).read_info() else { return false };
    reader.info().uncompressed_latin1_text.iter().any(|text| text.keyword == MAKER && text.text == maker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::curves::tests::panel;

    /// How many pixels are darker than grey.
    fn dark(png: &[u8]) -> usize {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!((reader.info().width, reader.info().height), SIZE);
        pixels.chunks_exact(3).filter(|pixel| pixel.iter().all(|&part| part < 90)).count()
    }

    #[test]
    fn a_picture_has_curves_and_words() {
        let panel = panel(&["both"], &[(1, 1.0), (2, 1.9)]);
        let drawn = |name: &str| dark(&png_of(&panel, &[name.to_owned()], "somebody").unwrap());
        let [short, long] = ["both", "both, with a name so long that it has many more letters"].map(drawn);
        assert!(short > 1000 && long > short + 500, "{short} {long}");
    }
}
