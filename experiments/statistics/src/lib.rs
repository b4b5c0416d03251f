//! What is told of samples: their median, their mean and spread, and how far such a figure depends on which
//! samples these are.

pub mod bootstrap;
pub mod student;
pub mod summary;
