//! Shared by the experiments.
