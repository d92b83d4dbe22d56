internal import CLibcurl
internal import NetKit

/// A reader of what libcurl knows about the connection of a transfer.
struct CurlFacts {
    private let easy: OpaquePointer
    /// Whether what libcurl calls an address is the path of a unix socket.
    private let isPath: Bool
    /// The last address as text: most requests go to the same one as the one before.
    private var last = (host: "", port: 0, text: "")

    init(of easy: OpaquePointer, overUnixSocket isPath: Bool) {
        (self.easy, self.isPath) = (easy, isPath)
    }

    /// The facts about the connection that carries the transfer.
    var connection: ConnectionFacts {
        mutating get {
            var (connects, version, port) = (0, 0, 0)
            var address: UnsafePointer<CChar>?
            nk_easy_get_long(easy, NK_INFO_NUM_CONNECTS, &connects)
            nk_easy_get_long(easy, NK_INFO_HTTP_VERSION, &version)
            nk_easy_get_text(easy, NK_INFO_PRIMARY_IP, &address)
            nk_easy_get_long(easy, NK_INFO_PRIMARY_PORT, &port)
            let host = address.map { String(cString: $0) } ?? ""
            let isNew = connects > 0
            let resolved = isNew ? microseconds(NK_INFO_NAMELOOKUP_TIME) : 0
            let connected = isNew ? microseconds(NK_INFO_CONNECT_TIME) : 0
            let secured = isNew ? microseconds(NK_INFO_APPCONNECT_TIME) : 0
            return ConnectionFacts(
                isReused: !isNew,
                httpVersion: Self.name(ofVersion: version),
                remoteAddress: isPath || host.isEmpty ? nil : self.address(host, port),
                resolveDuration: isNew ? .microseconds(resolved) : nil,
                connectDuration: isNew ? .microseconds(max(0, connected - resolved)) : nil,
                tlsDuration: secured > 0 ? .microseconds(max(0, secured - connected)) : nil
            )
        }
    }

    private mutating func address(_ host: String, _ port: Int) -> String {
        if host != last.host || port != last.port {
            last = (host, port, "\(host.contains(":") ? "[\(host)]" : host):\(port)")
        }
        return last.text
    }

    private static func name(ofVersion version: Int) -> String? {
        switch version {
        case 1: "1.0"
        case 2: "1.1"
        case 3: "2"
        case 30: "3"
        default: nil
        }
    }

    private func microseconds(_ information: Int) -> Int64 {
        var value: Int64 = 0
        nk_easy_get_offset(easy, information, &value)
        return value
    }
}
