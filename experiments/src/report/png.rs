//! Pictures as PNG, for papers and slides whose programs read no SVG.
//!
//! Words are drawn here: a machine may have no font, and with one of the drawing library's the words in SVG
//! would stand elsewhere.

use crate::report::curves::Panel;
use crate::report::picture::{SIZE, draw};
use ab_glyph::{Font, FontRef, ScaleFont, point};
use anyhow::{Context, anyhow};
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind};
use std::convert::Infallible;
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
    let (width, height) = SIZE;
    let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).context("the font of pictures")?;
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    draw(panel, names, Raster { pixels: &mut pixels, font }).map_err(|error| anyhow!(error))?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
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

/// Pixels of three bytes, row by row, and what is drawn on them.
struct Raster<'a> {
    pixels: &'a mut [u8],
    font: FontRef<'static>,
}

impl DrawingBackend for Raster<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        SIZE
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn draw_pixel(
        &mut self,
        (x, y): BackendCoord,
        color: BackendColor,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let (width, height) = SIZE;
        if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
            let begin = 3 * (y as usize * width as usize + x as usize);
            let (red, green, blue) = color.rgb;
            for (own, new) in self.pixels[begin..begin + 3].iter_mut().zip([red, green, blue]) {
                let mixed = f64::from(*own) * (1.0 - color.alpha) + f64::from(new) * color.alpha;
                *own = mixed.round() as u8;
            }
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let scale = style.size() as f32;
        let (font, color, anchor) = (self.font.clone(), style.color(), style.anchor());
        let scaled = font.as_scaled(scale);
        let width: f32 = text.chars().map(|sign| scaled.h_advance(scaled.glyph_id(sign))).sum();
        let mut right = match anchor.h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let baseline = scaled.ascent()
            - match anchor.v_pos {
                VPos::Top => 0.0,
                VPos::Center => scaled.height() / 2.0,
                VPos::Bottom => scaled.height(),
            };
        for sign in text.chars() {
            let id = scaled.glyph_id(sign);
            let glyph = id.with_scale_and_position(scale, point(right, baseline));
            right += scaled.h_advance(id);
            let Some(outlined) = font.outline_glyph(glyph) else { continue };
            let corner = outlined.px_bounds().min;
            outlined.draw(|across, down, covered| {
                let place = (corner.x as i32 + across as i32, corner.y as i32 + down as i32);
                let (across, down) = style.transform().transform(place.0, place.1);
                let covered = BackendColor { alpha: color.alpha * f64::from(covered), ..color };
                let _ = self.draw_pixel((x + across, y + down), covered);
            });
        }
        Ok(())
    }
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
