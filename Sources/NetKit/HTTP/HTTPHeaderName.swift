/// The name of a header field (RFC 9110, section 5.1).
///
/// Names that differ only in the case of ASCII letters are equal. A name keeps its original spelling. It is validated
/// when a request is encoded.
public struct HTTPHeaderName: Hashable, Sendable {
    private let name: FoldedName

    /// The name in its original spelling, in which it is sent.
    public var rawName: String { name.text }

    /// Creates a name.
    ///
    /// - Parameter name: The name, such as `X-Request-ID`.
    public init(_ name: String) {
        self.name = FoldedName(text: name)
    }
}

extension HTTPHeaderName {
    /// Whether the bytes are this name in any case.
    package func matches(_ bytes: UnsafeRawBufferPointer) -> Bool { name.matches(bytes) }
}

/// An alternative name for ``HTTPHeaderName``.
public typealias RequestHeaderKey = HTTPHeaderName

extension HTTPHeaderName: ExpressibleByStringLiteral {
    /// Creates a name from a literal.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPHeaderName: CustomStringConvertible {
    /// The name in its original spelling.
    public var description: String { rawName }
}

extension HTTPHeaderName {
    /// Whether fields with this name are always secret, even if they aren't marked sensitive.
    package var isCredential: Bool {
        @inline(never) get {
            self == .authorization || self == .cookie || self == .proxyAuthorization
                || self == .setCookie || self == "Cookie2"
        }
    }
}

/// A string that ignores the case of ASCII letters in comparisons.
private struct FoldedName: Hashable, Sendable {
    let text: String

    @inline(never)  // names are compared in over a hundred places
    static func == (left: FoldedName, right: FoldedName) -> Bool {
        guard left.text.utf8.count == right.text.utf8.count else { return false }
        return right.text.utf8.withContiguousBytes { left.matches(UnsafeRawBufferPointer($0)) }
    }

    /// Whether the bytes are this name in any case.
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        return text.utf8.withContiguousBytes { name in
            for index in name.indices where name[index] != bytes[index] {
                guard HTTPToken.folded(name[index]) == HTTPToken.folded(bytes[index]) else {
                    return false
                }
            }
            return true
        }
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(HTTPToken.folded(byte)) }
        hasher.combine(UInt8.max)
    }
}
