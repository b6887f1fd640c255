//! Tests of the MCP tools: their results, their effects and their errors. A tool returns only what the employee may
//! see.

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
