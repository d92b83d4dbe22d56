# Shared by .ci/run and .ci/nightly: named steps that stop the run at the first failure. Sourced by bash.

# A crash ends its step: the backtracer can wait forever.
export SWIFT_BACKTRACE=enable=no
# Some suites end a process on purpose. Its core file would be a new file in the repository.
ulimit -c 0

log=$(mktemp -d)
current=
finish() {
    local status=$?
    if (( status != 0 )); then
        # Repeats the failures, because a reader might see only the end of a log.
        grep -E '✘|error:|recorded an issue|Fatal error|ERROR: |WARNING: ThreadSanitizer' "$log/last" \
            2> /dev/null | tail -n 40 || true
        printf '\nFAILED: %s\n' "${current:-preparation}"
    fi
    rm -rf "$log"
    exit "$status"
}
trap finish EXIT

# step NAME COMMAND…: runs the command and prints its duration.
step() {
    current=$1
    shift
    printf '\n=== %s: %s\n' "$current" "$*"
    local start=$SECONDS
    "$@" 2>&1 | tee "$log/last"
    printf -- '--- %s: %d s\n' "$current" "$((SECONDS - start))"
    printf '%6d s  %s\n' "$((SECONDS - start))" "$current" >> "$log/times"
}

# Prints the duration of each step and the total.
times() {
    printf '\nAll steps passed in %d s:\n' "$SECONDS"
    cat "$log/times"
}

# Runs a command that README.md contains word for word.
readme() {
    if ! grep -qx " *$*" README.md; then
        echo "README.md: missing command: $*" >&2
        return 1
    fi
    "$@"
}

# The closing line of a test run. A run without tests has no such line, and fails.
summary() { grep -E 'Test run with [1-9][0-9]* tests?' "$log/last" | tail -n 1; }

# retry COMMAND…: up to three times, for the network.
retry() {
    local pause
    for pause in 10 30; do
        if "$@"; then return; fi
        sleep "$pause"
    done
    "$@"
}

# Installs the Debian packages that are missing, given as COMMAND=PACKAGE.
install() {
    local missing=() pair
    for pair in "$@"; do
        [[ -n $(PATH=$PATH:/usr/sbin type -P "${pair%%=*}") ]] || missing+=("${pair#*=}")
    done
    if (( ${#missing[@]} > 0 )); then
        retry apt-get update -qq
        retry apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${missing[@]}"
    fi
    if ! command -v swift > /dev/null; then
        echo "swift: not installed; see https://www.swift.org/install" >&2
        return 1
    fi
    swift --version
}
