mod common;
mod planner;
