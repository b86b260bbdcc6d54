//! Numbers in, text and pictures out: tables and charts for the terminal, charts as SVG, pages as HTML.
//!
//! Knows nothing of pools or policies, reads nothing and prints nothing: every function returns a string, always the same
//! for the same input. Start at [`html::Page`], [`chart::Chart`] and [`sheet::Sheet`]; [`number`] and [`interval`] write
//! quantities as a person reads them.
//!
//! ```
//! use muster_report::chart::{Axis, Chart, Series, svg};
//! use muster_report::number::Unit;
//!
//! let wait = Series::new("mean wait", vec![(16.0, 29.0), (17.0, 11.5), (18.0, 5.6)]);
//! let chart = Chart::new("Does one more help?", Axis::new("workers", Unit::Count), Axis::new("wait", Unit::Seconds))
//!     .with(wait);
//! assert!(svg::picture(&[chart]).starts_with("<svg"));
//! ```

pub mod chart;
pub mod html;
pub mod interval;
pub mod markup;
pub mod number;
pub mod paint;
pub mod sheet;
pub mod table;
mod theme;
