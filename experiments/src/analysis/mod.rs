//! Figures from records. Pure: nothing here searches, reads a file or prints.

pub mod conditions;
pub mod costs;
pub mod decomposition;
pub mod efforts;
pub mod figure;
pub mod fits;
pub mod growth;
pub(crate) mod held_up;
pub mod measures;
pub mod order;
pub mod ratios;
pub(crate) mod reading;
pub(crate) mod speedups;
pub mod tables;
