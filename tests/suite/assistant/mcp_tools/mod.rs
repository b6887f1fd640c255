//! The tools of assistants: what they return and change, for which employees, and their errors.

mod catalog;
mod confirming;
mod drafts;
mod indexing;
mod many;
mod people_and_files;
mod reading;
mod search;
mod search_pages;
mod search_sight;
mod sending;
