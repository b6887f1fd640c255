//! The tools of assistants: what they show and change, for whom, and what they answer when they cannot.

mod catalog;
mod drafts;
mod indexing;
mod many;
mod people_and_files;
mod reading;
mod search;
mod search_pages;
mod search_sight;
mod sending;
