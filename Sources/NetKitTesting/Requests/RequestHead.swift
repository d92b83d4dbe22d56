import NetKitSupport

/// A request line and its header fields, as received.
struct RequestHead: Sendable, Equatable {
    var method: String
    var target: String
    /// The minor version: 0 for HTTP/1.0, 1 for HTTP/1.1.
    var minorVersion: Int
    var fields: [HeaderField]

    /// Returns the values of all fields with a name, in order.
    func values(of name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Whether a comma-separated field contains a token, ignoring case.
    func contains(_ token: String, in name: String) -> Bool {
        fields.contains { field in
            field.isNamed(name)
                && field.value.split(separator: ",")
                    .contains { part in
                        String(part).trimmedOfBlanks.lowercased() == token
                    }
        }
    }

    /// Whether the client wants to keep the connection open.
    var keepsAlive: Bool {
        minorVersion == 0
            ? contains("keep-alive", in: "Connection") : !contains("close", in: "Connection")
    }

    /// Whether the client waits for a 100 before it sends the body.
    var expectsContinue: Bool {
        minorVersion > 0 && contains("100-continue", in: "Expect")
    }
}

/// A header or trailer field, its value without surrounding white space.
struct HeaderField: Sendable, Equatable {
    var name: String
    var value: String

    /// Whether the field has a name, ignoring case.
    func isNamed(_ other: String) -> Bool { FoldedName(name) == FoldedName(other) }
}
