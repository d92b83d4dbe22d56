/// The name of a header field (RFC 9110, section 5.1).
///
/// Compares without regard to the case of ASCII letters, and keeps the spelling that it was made
/// with. Whether it is a valid name is checked when a request is encoded.
public struct HTTPHeaderName: Sendable {
    /// The name as it was given, and as it is sent.
    public let rawName: String

    /// Makes a name.
    ///
    /// - Parameter name: The name, such as `X-Request-ID`.
    public init(_ name: String) {
        rawName = name
    }
}

/// The same type under the name that some users know.
public typealias RequestHeaderKey = HTTPHeaderName

extension HTTPHeaderName: ExpressibleByStringLiteral {
    /// Makes a name from a literal.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPHeaderName: Hashable {
    public static func == (left: HTTPHeaderName, right: HTTPHeaderName) -> Bool {
        let (left, right) = (left.rawName.utf8, right.rawName.utf8)
        guard left.count == right.count else { return false }
        return left.withContiguousBytes { left in
            right.withContiguousBytes { right in
                for index in left.indices where left[index] != right[index] {
                    guard HTTPToken.folded(left[index]) == HTTPToken.folded(right[index]) else {
                        return false
                    }
                }
                return true
            }
        }
    }

    public func hash(into hasher: inout Hasher) {
        for byte in rawName.utf8 { hasher.combine(HTTPToken.folded(byte)) }
        hasher.combine(UInt8.max)
    }
}

extension HTTPHeaderName: CustomStringConvertible {
    /// The name as it was given.
    public var description: String { rawName }
}

extension HTTPHeaderName {
    /// Whether fields of this name are secret by what they are for, whoever sets them.
    package var isCredential: Bool {
        self == .authorization || self == .cookie || self == .proxyAuthorization
            || self == .setCookie || self == "Cookie2"
    }
}
