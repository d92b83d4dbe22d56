public import Foundation

extension ResponseDecoding where Value == Data {
    /// Takes the body as it is, if its Content-Type is one of those named: images, for one.
    ///
    /// It asks for those types. Any other Content-Type, or none, is an ``UnexpectedContentType``.
    ///
    /// - Parameters:
    ///   - type: A media type; a subtype of `*` stands for all of its type. Parameters do not matter.
    ///   - others: More of them.
    /// - Returns: The decoding.
    public static func data(ofType type: MimeType, _ others: MimeType...) -> Self {
        let types = [type] + others
        let accept = types.map(\.rawValue).joined(separator: ", ")
        return Self(accept: accept, readsBody: true) { response, _ in
            let found = response.headers.contentType
            guard let found, types.contains(where: { $0.covers(found) }) else {
                throw UnexpectedContentType(
                    expected: types,
                    found: response.headers[.contentType]
                )
            }
            return response.body
        }
    }
}

/// The response has another Content-Type than the one that was asked for.
public struct UnexpectedContentType: Error, Hashable, Sendable {
    /// What would have been taken.
    public let expected: [MimeType]
    /// What the field said, nil without one.
    public let found: String?
}

extension UnexpectedContentType: CustomStringConvertible {
    /// One line: `the Content-Type is text/html, not image/png`.
    public var description: String {
        let wanted = expected.map(\.rawValue).joined(separator: " or ")
        return "the Content-Type is \(found ?? "missing"), not \(wanted)"
    }
}

extension MimeType {
    /// Whether `other` is this type, whatever its parameters; `*` stands for everything.
    fileprivate func covers(_ other: MimeType) -> Bool {
        func matches(_ mine: String, _ theirs: String) -> Bool {
            mine == "*" || mine.lowercased() == theirs.lowercased()
        }
        return matches(type, other.type) && matches(subtype, other.subtype)
    }
}
