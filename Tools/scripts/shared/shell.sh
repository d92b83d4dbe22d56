# Sourced by the scripts of Tools/ and by .ci/steps.sh: goes to the repository's folder, and has what they share.
# shellcheck shell=bash disable=SC2034

caller=$PWD
script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
PATH=$PATH:/usr/sbin
# A crash ends a run: the backtracer can wait forever.
export SWIFT_BACKTRACE=enable=no
# .ci/steps.sh sets NETKIT_SWIFT_OPTIONS to the options of its builds, so that nothing is built twice.
read -ra fast <<< "${NETKIT_SWIFT_OPTIONS-}"

# Prints what a script says of itself in its first lines, and ends it.
usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script" >&2
    exit 2
}

# absolute PATH: a path from where the script was started.
absolute() {
    [[ -n $1 ]] || usage
    (cd "$caller" && realpath -m -- "$1")
}

# use PACKAGE SCRATCH: sets `package` to the options of `swift build` for a package that is built in a folder with others.
# SwiftPM would take the plan of the one that was built there last.
use() { package=(--package-path "$1" --scratch-path "$2" --disable-build-manifest-caching "${fast[@]}"); }

# retry COMMAND…: up to three times, for the network.
retry() {
    local pause
    for pause in 10 30; do
        if "$@"; then return; fi
        sleep "$pause"
    done
    "$@"
}

# missing COMMAND=PACKAGE…: prints the Debian packages whose commands are missing. `venv` stands for Python's module.
missing() {
    local pair
    for pair in "$@"; do
        case ${pair%%=*} in
            venv) python3 -c 'import ensurepip, venv' 2> /dev/null || echo "${pair#*=}" ;;
            *) type -P "${pair%%=*}" > /dev/null || echo "${pair#*=}" ;;
        esac
    done
}

# install COMMAND=PACKAGE…: installs these packages.
install() {
    local packages
    mapfile -t packages < <(missing "$@")
    (( ${#packages[@]} > 0 )) || return 0
    retry apt-get update -qq
    retry apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${packages[@]}"
}

# python_with FOLDER FILE…: sets `python` to one that has the packages of requirements files. It is kept in the folder, once
# for each state of the files.
python_with() {
    local folder=$1 venv
    shift
    install python3=python3 venv=python3-venv
    venv=$folder/python-$(cat "$@" <(python3 --version) | sha256sum | cut -c 1-16)
    if [[ ! -e $venv/complete ]]; then
        python3 -m venv --clear "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 10 --timeout 60 "${@/#/--requirement=}"
        touch "$venv/complete"
    fi
    python=$venv/bin/python
}
