//! The papers' experiments: what they claim, what comes out here, and over which settings that holds.
//!
//! An experiment is a function from settings to scenarios of the simulator; a claim is a number of the paper beside ours,
//! with a verdict and its reason. Where a paper is silent, settings are ours: they are named, and swept over sensible
//! ranges. This crate reads no file and prints nothing: the program hands texts in and gets a [`report::Report`] back, which
//! can be shown as text ([`text`]), JSON ([`json`]) or a page ([`page`]).
//!
//! To add a paper: a folder with one file per experiment, each giving an [`report::Experiment`]; see [`cioppino`] and
//! [`hit_scheduling`].

pub mod cioppino;
pub mod claim;
pub mod hit_scheduling;
pub mod json;
pub mod lab;
pub mod method;
pub mod page;
pub mod ratio;
pub mod report;
pub mod sweep;
pub mod text;
