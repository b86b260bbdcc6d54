//! Inputs with expected outputs for the formulas.
