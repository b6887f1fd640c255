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

# rewrite generated files and generated docs
bless:
    cargo build
    BLESS=1 cargo test --test suite docs
