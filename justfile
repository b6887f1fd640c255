# Common tasks; `just` lists them.
default:
    @just --list

# a seeded sandbox
dev *args:
    cargo run --release -- dev {{args}}

# everything that needs only the Rust toolchain
test *args:
    cargo test {{args}}

# what CI does
ci:
    .ci/run

# the benchmark table
bench *args:
    cargo bench --bench load -- {{args}}

# rewrite generated/ and every document and file that is made from the code
bless:
    cargo build
    BLESS=1 cargo test --lib the_page_
    BLESS=1 cargo test --test suite -- house::api_docs house::sample_vectors mcp_tools::catalog upgrades::before::the_page

# the version before the newest migration beside this one, under load
rolling-upgrade *args:
    scripts/rolling-upgrade {{args}}
