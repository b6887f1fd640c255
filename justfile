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

# fuzz one parser of untrusted input, for an hour by default
fuzz target seconds="3600":
    FUZZ_SECONDS={{seconds}} .ci/fuzz {{target}}

# an hour of mixed and hostile traffic, or as many minutes as given: whether memory, descriptors, threads or tables grow
soak minutes="60" *args:
    cargo bench --bench soak -- --minutes {{minutes}} {{args}}

# rewrite generated/ and every document and file that is made from the code
bless:
    cargo build
    BLESS=1 cargo test --lib the_page_
    BLESS=1 cargo test --test suite -- house::api_docs house::sample_vectors mcp_tools::catalog upgrades::before::the_page

# the version before the newest migration beside this one, under load
rolling-upgrade *args:
    scripts/rolling-upgrade {{args}}

# binary, manual pages, completions and systemd unit: just install [PREFIX=/usr/local] [DESTDIR=…]
install *settings:
    cargo build --release --locked
    packaging/install {{settings}}
