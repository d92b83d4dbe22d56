extension Nginx {
    /// Runs the server in a folder until there is nothing more to read.
    static let watching = """
        /usr/sbin/nginx -p "$0" -c nginx.conf -e error.log &
        cat > /dev/null
        kill -9 $!
        rm -rf "$0"
        """

    /// Makes two authorities, certificates of the first and one of the second, and pins of two of them.
    static let certificates = """
        set -e
        key() {
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key" 2> /dev/null
        }
        authority() {
            key "$1"
            openssl req -x509 -new -key "$1.key" -subj "/CN=$1" -days 2 -out "$1.pem" \
                -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
        }
        certificate() {
            key "$1"
            openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
            printf 'subjectAltName=%s\\n' "$2" > "$1.ext"
            openssl x509 -req -in "$1.csr" -CA "$4.pem" -CAkey "$4.key" -CAcreateserial \
                -days "$3" -extfile "$1.ext" -out "$1.pem" 2> /dev/null
        }
        authority authority
        authority stranger
        certificate server DNS:localhost,IP:127.0.0.1 2 authority
        certificate elsewhere DNS:elsewhere.test 2 authority
        certificate expired DNS:localhost,IP:127.0.0.1 -1 authority
        certificate address IP:127.0.0.1 2 authority
        certificate anyname DNS:* 2 authority
        key localhost
        openssl req -new -key localhost.key -subj /CN=localhost -out localhost.csr
        openssl x509 -req -in localhost.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
            -days 2 -out localhost.pem 2> /dev/null
        certificate client DNS:client.test 2 authority
        certificate impostor DNS:client.test 2 stranger
        openssl pkey -in client.key -aes256 -passout pass:s3cret -out client.locked.key
        for name in server client; do
            openssl x509 -in $name.pem -pubkey -noout | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | openssl base64 > $name.pin
        done
        """

    /// A configuration for one process that stays in the foreground and writes into its folder alone.
    static func configuration(_ folder: String, _ ports: [Site: Int]) -> String {
        func site(_ site: Site, _ certificate: String?, _ more: String = "") -> String {
            let tls = certificate.map {
                "ssl_certificate \($0).pem; ssl_certificate_key \($0).key;"
            }
            let listen = "\(ports[site] ?? 0)\(tls == nil ? "" : " ssl")"
            return """
                server {
                    listen 127.0.0.1:\(listen)\([.modern, .brief].contains(site) ? " http2" : "");
                    \(tls ?? "")
                    \(more)
                    location /early200 { return 200 ""; }
                    location /early401 { return 401 ""; }
                    location / { return 200 "$server_protocol $ssl_client_s_dn $content_length"; }
                    location /large { root \(folder); }
                    location /trailers {
                        alias \(folder)/large;
                        add_trailer X-Sum 7;
                        add_trailer X-More 8;
                    }
                    location /announced {
                        alias \(folder)/large;
                        add_header Trailer X-Sum;
                        add_trailer X-Sum 7;
                    }
                    location /up {
                        proxy_pass http://127.0.0.1:\(ports[.plain] ?? 0)/;
                    }
                }

                """
        }
        let client = "ssl_verify_client on; ssl_client_certificate authority.pem;"
        // OpenSSL 3 has such versions at its lowest level of security alone.
        let outdated = "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers DEFAULT@SECLEVEL=0;"
        return """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log error.log;
            events { worker_connections 256; }
            http {
                access_log off;
                client_max_body_size 0;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                default_type text/plain;
            \(site(.modern, "server", "ssl_protocols TLSv1.2 TLSv1.3;"))
            \(site(.old, "server"))
            \(site(.elsewhere, "elsewhere"))
            \(site(.expired, "expired"))
            \(site(.mutual, "server", client))
            \(site(.address, "address"))
            \(site(.anyName, "anyname"))
            \(site(.nameless, "localhost"))
            \(site(.outdated, "server", outdated))
            \(site(.brief, "server", "keepalive_requests 5;"))
            \(site(.plain, nil))
            }
            """
    }
}
