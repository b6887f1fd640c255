# Common tasks; `just` lists them.
default:
    @just --list

# start a seeded sandbox
dev *args:
    cargo run --release -- dev {{args}}

# run the server's tests on SQLite, and also on PostgreSQL if it is installed
test *args:
    cargo test {{args}}

# run all checks of CI
ci:
    .ci/run

# run the load benchmark
bench *args:
    cargo bench --bench load -- {{args}}

# run one fuzz target (fuzz/fuzz_targets), for an hour by default
fuzz target seconds="3600":
    FUZZ_SECONDS={{seconds}} .ci/fuzz {{target}}

# check that memory, descriptors, threads and tables do not grow under mixed and hostile traffic, for an hour by default
soak minutes="60" *args:
    cargo bench --bench soak -- --minutes {{minutes}} {{args}}

# rewrite the generated files in generated/, docs/, migrations/statements/ and examples/verify/
bless:
    cargo build
    BLESS=1 cargo test --lib -- the_page_in_docs_is_current _md_is_up_to_date
    BLESS=1 cargo test --test suite -- house::api_docs house::sample_vectors mcp_tools::catalog upgrades::before::the_newest_file

# upgrade two nodes under load, from the commit before the newest migration to the working tree
rolling-upgrade *args:
    scripts/rolling-upgrade {{args}}

# install the binary, manual pages, completions and systemd unit: just install [PREFIX=/usr/local] [DESTDIR=…]
install *settings:
    cargo build --profile dist --locked
    packaging/install {{settings}}
