//! E-mail addresses that administrators enter: a plausible form. Whether mail arrives is not known from the form.

/// Longest address (RFC 5321 §4.5.3.1.3 less the brackets), local part, domain and label, in bytes.
const MAX_ADDRESS: usize = 254;
const MAX_LOCAL: usize = 64;
const MAX_DOMAIN: usize = 253;
const MAX_LABEL: usize = 63;

/// Whether the text is `local@domain` with an unquoted local part (RFC 5322 dot-atom; RFC 6532 letters of any
/// script). The text is not trimmed.
#[must_use]
pub fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.chars().all(|c| match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' => true,
                _ if c.is_ascii() => "!#$%&'*+-/=?^_`{|}~".contains(c),
                _ => !c.is_whitespace() && !c.is_control(),
            })
    };
    text.len() <= MAX_ADDRESS
        && local.len() <= MAX_LOCAL
        && local.split('.').all(is_atom)
        && is_domain(domain)
}

/// Whether the text is a host name: labels of letters (of any script), digits and inner hyphens.
#[must_use]
pub fn is_domain(text: &str) -> bool {
    text.len() <= MAX_DOMAIN
        && text.split('.').all(|label| {
            (1..=MAX_LABEL).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let longest_local = format!("{}@example.com", "a".repeat(64));
        for good in
            ["a@b", "ann.lee+x@example.com", "o'neil@ex-ample.co.uk", "jürgen@exämple.de", &longest_local]
        {
            assert!(is_address(good), "{good}");
        }
        let too_long_local = format!("{}@example.com", "a".repeat(65));
        let too_long_label = format!("a@{}.com", "a".repeat(64));
        let too_long = format!("a@{}", vec!["a".repeat(62); 5].join("."));
        for bad in [
            "",
            "a",
            "@",
            "a@",
            "@b",
            "a b@c",
            "a@b c",
            " a@b",
            "a@b ",
            "a@b\n",
            "a@@b",
            "a@b@c",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@.b",
            "a@b.",
            "a@b..c",
            "a@-b",
            "a@b-",
            "a@b_c",
            "a@[::1]",
            "\"a\"@b",
            "Ann <a@b>",
            "a,b@c",
            "a\0@b",
            "a\u{a0}b@c",
            &too_long_local,
            &too_long_label,
            &too_long,
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
