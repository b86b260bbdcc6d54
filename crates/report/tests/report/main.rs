//! Figures and pages as others make them.

mod figures;
mod markup;
mod page;
mod property;
mod samples;
