//! The engine of Muster: every decision, and nothing that acts.
