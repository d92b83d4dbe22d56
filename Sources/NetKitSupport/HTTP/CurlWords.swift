package import Foundation

/// The variables of the process's environment, of which a copy of all takes long.
package enum EnvironmentVariable {
    /// Returns the value of a variable, or nil if it is empty.
    package static func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The variable of the environment that leads requests to a proxy, by libcurl's rules.
package enum ProxyVariable {
    /// Returns the name of the variable, if a connection for a URL was one to a proxy.
    ///
    /// - Parameters:
    ///   - host: The host that the connection was for.
    ///   - port: Its port.
    ///   - url: The URL of the request.
    ///   - value: Returns the value of a variable. Defaults to that of the process.
    /// - Returns: The name, or nil for a connection to the host of the URL.
    package static func name(
        to host: Substring,
        _ port: Substring,
        for url: URL,
        in value: (String) -> String? = EnvironmentVariable.value
    ) -> String? {
        guard let origin = Origin(url), origin.host != host || "\(origin.port)" != port else {
            return nil
        }
        let own = origin.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (own + ["all_proxy", "ALL_PROXY"]).first { value($0)?.contains(host) == true }
    }
}

/// What libcurl's messages say, for its own transport and for `URLSession`, which runs over it on Linux.
package enum CurlWords {
    /// The host and port in `Failed to connect to HOST port N after M ms: Couldn't connect to server`.
    ///
    /// They are the proxy's if there is one. Nil where `via PROXY` follows, because the proxy wasn't reached then. Earlier
    /// versions write a colon behind the port.
    package static func peer(in text: String) -> (host: Substring, port: Substring)? {
        let words = text.split(separator: " ")
        guard words.count > 6, text.hasPrefix("Failed to connect to "), words[5] == "port",
            !words.dropFirst(7).starts(with: ["via"])
        else { return nil }
        return (words[4], words[6].prefix { $0.isNumber })
    }

    /// What follows the first of the marks that is found; the first letter in lower case.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - marks: The marks.
    ///   - isWholeOtherwise: Whether it is the whole text if none is found, rather than nil. Defaults to false.
    /// - Returns: The rest.
    package static func rest(
        of text: String,
        after marks: [String],
        orWhole isWholeOtherwise: Bool = false
    ) -> String? {
        let mark = marks.lazy.compactMap { text.firstRange(of: $0) }.first
        // It quotes the URL of a proxy, with its password.
        guard mark != nil || isWholeOtherwise && !isOfProxyURL(text) else { return nil }
        let rest = mark.map { text[$0.upperBound...] } ?? text[...]
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// Whether a text says that a proxy's URL can't be used: `Unsupported proxy syntax in 'URL'`.
    package static func isOfProxyURL(_ text: String) -> Bool {
        text.lowercased().hasPrefix("unsupported proxy")
    }

    /// What a proxy did that opened no connection, in libcurl's words; nil for any other text.
    package static func refusal(ofProxy text: String) -> String? {
        let text = text.lowercased()
        // They name a host, which may contain any word.
        guard
            !["failed to connect", "failed to resolve", "couldn't connect", "could not "]
                .contains(where: text.hasPrefix)
        else { return nil }
        for mark in ["connect tunnel failed, response ", "received http code "] {
            guard let found = text.firstRange(of: mark) else { continue }
            return
                "the proxy answered CONNECT with \(text[found.upperBound...].prefix { $0.isNumber })"
        }
        if ["proxy connect aborted", "connection to proxy closed"].contains(where: text.contains) {
            return "the proxy closed the connection"
        }
        let words = ["socks4", "socks4:", "socks5", "socks5:"]
        return text.split(separator: " ").contains { words.contains(String($0)) }
            ? "the proxy refused the connection" : nil
    }

    /// What is said in place of such a text.
    package static let malformedProxy = "the proxy's URL is malformed"
}
