//! The tools of assistants: what they return and change, for which employees, and their errors.

mod bounded_searches;
mod catalog;
mod confirming;
mod drafts;
mod elicitation;
mod indexing;
mod people_and_files;
mod reading;
mod search;
mod search_pages;
mod search_visibility;
mod sending;
