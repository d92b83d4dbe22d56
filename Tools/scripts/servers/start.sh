# Sourced by Tools/scripts/conformance: starts servers that know nothing of NetKit, nginx, httpbin, docker-registry, etcd,
# jupyter_server, wsgidav, strawberry-graphql, Authlib and mcp, or with `short=1` the first two, and exports their URLs.
#
# Each listens on free ports of 127.0.0.1, keeps its files in a temporary folder, and is ended by its process ID, whatever
# happens. URLSession trusts no authority but the system's: `trusting` is a command that runs others with the servers' own
# authority in a bundle over the system's, and is empty where no bundle may be mounted.
# shellcheck shell=bash disable=SC2154

work=$(mktemp -d)
servers=()
running=
policy=
finish() {
    local status=$? server
    trap '' INT TERM HUP
    [[ -z $running ]] || kill -9 -- "-$running" 2> /dev/null || true
    for server in "${servers[@]}"; do kill "$server" 2> /dev/null || true; done
    for server in "${servers[@]}"; do
        for _ in {1..50}; do
            kill -0 "$server" 2> /dev/null || break
            sleep 0.1
        done
        kill -9 "$server" 2> /dev/null || true
        wait "$server" 2> /dev/null || true
    done
    [[ -z $policy ]] || rm -f "$policy"
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

packages=(openssl=openssl nginx=nginx-light)
requirements=(Tools/scripts/servers/httpbin.txt)
if [[ -z $short ]]; then
    packages+=(docker-registry=docker-registry etcd=etcd-server)
    for name in jupyter webdav graphql oauth mcp; do requirements+=("Tools/scripts/servers/$name.txt"); done
fi
# No package may start a server by itself.
if [[ -n $(missing "${packages[@]}") && ! -e /usr/sbin/policy-rc.d ]]; then
    policy=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' > "$policy"
    chmod +x "$policy"
fi
install "${packages[@]}"
[[ -z $policy ]] || rm -f "$policy"
policy=
python_with "$scratch" "${requirements[@]}"
tools=$(dirname "$python")

# As many ports as there are names, all held at once so that no two are the same.
declare -A port
names=(plain secure old expiring httpbin registry etcd peers jupyter webdav graphql oauth mcp)
read -ra free < <(python3 -c '
import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(one.getsockname()[1] for one in held))' "${#names[@]}")
for index in "${!names[@]}"; do port[${names[index]}]=${free[index]}; done

# start NAME PORT COMMAND…: starts a server, and waits until it listens.
start() {
    local name=$1 at=$2
    shift 2
    "$@" > "$work/$name.log" 2>&1 < /dev/null &
    local server=$!
    servers+=("$server")
    for _ in {1..600}; do
        if (: < "/dev/tcp/127.0.0.1/$at") 2> /dev/null; then
            echo "$name listens on port $at"
            return
        fi
        kill -0 "$server" 2> /dev/null || break
        sleep 0.1
    done
    echo "$name does not listen on port $at:" >&2
    cat "$work/$name.log" >&2
    return 1
}

# run COMMAND…: runs a command in a process group of its own, which ends with this script, and keeps its output.
run() {
    : > "$work/output"  # tail may come before the command
    setsid "$@" >> "$work/output" 2>&1 < /dev/null &
    running=$!
    tail -n +1 -f --pid="$running" "$work/output" &
    local reader=$! status=0
    wait "$running" || status=$?
    running=
    wait "$reader"
    return "$status"
}

# keep PID-FILE COMMAND…: starts a command again whenever it ends, as an init system does.
keep() {
    local file=$1 child=
    shift
    trap 'kill "$child" 2> /dev/null; wait "$child"; exit' TERM
    while :; do
        "$@" &
        child=$!
        echo "$child" > "$file.new"
        mv "$file.new" "$file"
        wait "$child" || true
    done
}

# fill FILE FROM…: writes a template with @NAME@ replaced by ports, the work folder and secrets.
fill() {
    local name script="s|@WORK@|$work|g; s|@JUPYTER_TOKEN@|$jupyter_token|g"
    for name in "${names[@]}"; do script+="; s|@${name^^}@|${port[$name]}|g"; done
    sed "$script" "$2" > "$1"
}
jupyter_token=$(openssl rand -hex 16)

# A certificate for localhost by an authority of its own, and an authority that has signed nothing.
mkdir "$work/tls" "$work/nginx" "$work/www"
(
    cd "$work/tls"
    key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key" 2> /dev/null; }
    for name in authority stranger; do
        key "$name"
        openssl req -x509 -new -key "$name.key" -subj "/CN=NetKit test $name" -days 2 -out "$name.pem" \
            -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
    done
    key server
    openssl req -new -key server.key -subj /CN=localhost -out server.csr
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' > server.ext
    openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
        -days 2 -extfile server.ext -out server.pem 2> /dev/null
)

python3 - "$work/www" << 'PYTHON'
import pathlib, random, sys

www = pathlib.Path(sys.argv[1])
(www / "large.bin").write_bytes(random.Random(9110).randbytes(3_000_000))
(www / "lines.txt").write_text("".join(f"line {number} of a text that compresses well\n" for number in range(20_000)))
(www / "hello.json").write_text('{"hello":"world"}')
PYTHON
printf 'reader:{PLAIN}open sesame\n' > "$work/nginx/users"
fill "$work/nginx/nginx.conf" Tools/scripts/servers/nginx.conf
start nginx "${port[secure]}" nginx -p "$work/nginx" -c nginx.conf -e error.log
start httpbin "${port[httpbin]}" "$tools/gunicorn" --bind "127.0.0.1:${port[httpbin]}" \
    --worker-class gthread --threads 16 --keep-alive 30 --graceful-timeout 1 --worker-tmp-dir "$work" --no-control-socket httpbin:app

export NETKIT_NGINX=http://127.0.0.1:${port[plain]}
export NETKIT_NGINX_TLS=https://localhost:${port[secure]}
export NETKIT_NGINX_OLD=https://localhost:${port[old]}
export NETKIT_AUTHORITY=$work/tls/authority.pem NETKIT_STRANGER=$work/tls/stranger.pem
export NETKIT_HTTPBIN=http://127.0.0.1:${port[httpbin]}

if [[ -z $short ]]; then
    mkdir "$work/jupyter" "$work/notebooks" "$work/webdav"
    fill "$work/registry.yml" Tools/scripts/servers/registry.yml
    start registry "${port[registry]}" docker-registry serve "$work/registry.yml"
    peers=http://127.0.0.1:${port[peers]}
    start etcd "${port[etcd]}" keep "$work/etcd.pid" etcd --data-dir "$work/etcd" \
        --listen-client-urls "http://127.0.0.1:${port[etcd]}" \
        --advertise-client-urls "http://127.0.0.1:${port[etcd]}" \
        --listen-peer-urls "$peers" --initial-advertise-peer-urls "$peers" --initial-cluster "default=$peers"
    start jupyter "${port[jupyter]}" env HOME="$work/jupyter" JUPYTER_CONFIG_DIR="$work/jupyter/config" \
        JUPYTER_DATA_DIR="$work/jupyter/data" JUPYTER_RUNTIME_DIR="$work/jupyter/runtime" \
        JUPYTER_TOKEN="$jupyter_token" "$tools/jupyter-server" --no-browser --allow-root \
        --ServerApp.ip=127.0.0.1 --ServerApp.port="${port[jupyter]}" --ServerApp.port_retries=0 \
        --ServerApp.root_dir="$work/notebooks"
    fill "$work/wsgidav.yaml" Tools/scripts/servers/wsgidav.yaml
    start webdav "${port[webdav]}" "$tools/wsgidav" --config="$work/wsgidav.yaml"
    export PYTHONDONTWRITEBYTECODE=1
    for name in graphql mcp; do
        start "$name" "${port[$name]}" "$python" "Tools/scripts/servers/${name}_server.py" "${port[$name]}"
    done
    # Authlib wants TLS otherwise, also on loopback.
    start oauth "${port[oauth]}" env AUTHLIB_INSECURE_TRANSPORT=1 \
        "$python" Tools/scripts/servers/oauth_server.py "${port[oauth]}"
    export NETKIT_GRAPHQL=http://127.0.0.1:${port[graphql]} NETKIT_MCP=http://127.0.0.1:${port[mcp]}
    export NETKIT_OAUTH=http://127.0.0.1:${port[oauth]}
    export NETKIT_REGISTRY=http://127.0.0.1:${port[registry]}
    export NETKIT_ETCD=http://127.0.0.1:${port[etcd]} NETKIT_ETCD_PID=$work/etcd.pid
    export NETKIT_JUPYTER=http://127.0.0.1:${port[jupyter]} NETKIT_JUPYTER_TOKEN=$jupyter_token
    export NETKIT_JUPYTER_PROXY=http://127.0.0.1:${port[expiring]}
    export NETKIT_WEBDAV=http://127.0.0.1:${port[webdav]}
fi

# Where the system's authorities are, with the servers' own among them, for the command alone.
bundle=/etc/ssl/certs/ca-certificates.crt
trusting=()
if [[ -f $bundle ]] && unshare --mount true 2> /dev/null; then
    cat "$bundle" "$work/tls/authority.pem" > "$work/tls/bundle.pem"
    trusting=(unshare --mount --propagation private bash -c
        'mount --bind "$0" "$1" && shift && NETKIT_AUTHORITY_IS_TRUSTED=1 exec "$@"'
        "$work/tls/bundle.pem" "$bundle")
else
    echo "NOT RUN: URLSession over TLS, because no file may be mounted over $bundle"
fi

