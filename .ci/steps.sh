# Shared by .ci/run, .ci/more and .ci/nightly: named steps with their durations. Sourced by bash.

# Some suites end a process on purpose. Its core file would be a new file in the repository.
ulimit -c 0
# At most sixteen tests run at the same time. If all are started at once, they take 40 % more time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16
# Without debug information, which no check reads, a build takes a third less time. Compiled as a whole, as release builds
# are, a module needs a tenth less, and the compiler finds imports that are missing only then. The scripts read these
# options too, so that SwiftPM builds nothing twice.
fast=(-Xswiftc -gnone -Xcc -g0 -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
export NETKIT_SWIFT_OPTIONS="${fast[*]}"
source Tools/scripts/shared/shell.sh

log=$(mktemp -d)
current=
failed=()
# With `keep_going=1`, a failed step doesn't end the run. The run fails at its end, in `times`.
keep_going=
finish() {
    local status=$?
    if (( status != 0 && ${#failed[@]} == 0 )); then
        printf '\nFAILED: %s\n' "${current:-preparation}"
    fi
    rm -rf "$log"
    exit "$status"
}
trap finish EXIT

# step NAME COMMAND…: runs the command and prints its duration.
step() {
    local start=$SECONDS status=0
    current=$1
    shift
    printf '\n=== %s: %s\n' "$current" "$*"
    # In a subshell of its own, in which a failed command of a function ends it.
    set +e
    (set -e; "$@") 2>&1 | tee "$log/last"
    status=${PIPESTATUS[0]}
    set -e
    printf -- '--- %s: %d s\n' "$current" "$((SECONDS - start))"
    printf '%6d s  %s%s\n' "$((SECONDS - start))" "$current" "$( (( status == 0 )) || echo ': FAILED')" >> "$log/times"
    (( status != 0 )) || return 0
    failed+=("$current")
    # Repeats the failures, because a reader might see only the end of a log.
    grep -E '✘|error:|recorded an issue|Fatal error|ERROR: |WARNING: ThreadSanitizer' "$log/last" \
        | tail -n 40 | tee -a "$log/failures" || true
    printf 'FAILED: %s\n' "$current" | tee -a "$log/failures"
    [[ -n $keep_going ]] || exit "$status"
}

# Prints the duration of each step and the total, and ends the run with its failures.
times() {
    printf '\nAll steps in %d s:\n' "$SECONDS"
    cat "$log/times"
    (( ${#failed[@]} > 0 )) || return 0
    echo
    cat "$log/failures"
    exit 1
}

# Runs a command that README.md contains word for word, with the options above.
readme() {
    if ! grep -qx " *$*" README.md; then
        echo "README.md: missing command: $*" >&2
        return 1
    fi
    "${@:1:2}" "${fast[@]}" "${@:3}"
}

# The closing line of a test run. A run without tests has no such line, and fails.
summary() { grep -E 'Test run with [1-9][0-9]* tests?' "$log/last" | tail -n 1; }

# tools COMMAND=PACKAGE…: installs the Debian packages whose commands are missing.
tools() {
    install "$@"
    if ! command -v swift > /dev/null; then
        echo "swift: not installed; see https://www.swift.org/install" >&2
        return 1
    fi
    swift --version
}
