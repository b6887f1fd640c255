//! Parses the log line in which a server reports that it listens.

use serde_json::Value;

/// Returns the address if this log line, in the text or the JSON format, reports that the server listens.
pub fn address_in(line: &str) -> Option<String> {
    let Ok(entry) = serde_json::from_str::<Value>(line) else {
        // `address=127.0.0.1:8080 base_url=http://…`
        let (_, rest) = line.split_once(" address=")?;
        let address = rest.split_whitespace().next()?;
        return rest.contains(" base_url=").then(|| address.to_owned());
    };
    // Other lines also have an `address`, for example that of an event's receiver. But they have no `base_url`.
    let fields = fields_of(&entry);
    fields["base_url"].as_str().and(fields["address"].as_str()).map(str::to_owned)
}

/// Returns the fields of an entry of the JSON log.
pub fn fields_of(entry: &Value) -> &Value {
    entry.get("fields").unwrap_or(entry)
}
