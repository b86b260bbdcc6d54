//! Pages of HTML: complete in one file, without scripts, fonts or anything else from elsewhere.
//!
//! A [`Page`] holds [`Section`]s, and these hold text, tiles, tables and figures, in the order in which they were given. Words
//! are escaped when they are written, so nothing that is given can become markup. Other pages use the parts on their own:
//! [`style`] for the look, [`Section::render`], [`figure`], [`tiles`] and [`crate::sheet::Sheet::html`] for elements, and
//! [`document`] around what they have made.
//!
//! ```
//! use muster_report::html::{Page, Section, Tile};
//!
//! let waiting = Section::new("Waiting").tiles([Tile::new("mean wait", "12.3 ± 0.4 s")]).text("Half of the tasks wait less.");
//! let page = Page::new("Night shift").lead("Fair sharing halves the wait.").section(waiting).render();
//! assert!(page.starts_with("<!doctype html>"));
//! ```

mod page;
mod section;
mod style;

pub use page::{Page, document};
pub use section::{Section, Tile, figure, tiles};
pub use style::style;
