import Foundation
public import NetKit

/// What a request does to a response is not known to a route for its type; it lies beneath a
/// ``TransportError`` of the kind `.other`.
///
/// Answer such a request by a closure that gives what the server sends.
public struct UnknownConversion: DescribedCause, Hashable {
    /// What makes the value of the response: the type of a converter, or the media type of a decoding.
    public let converter: String

    /// One line that names it.
    public var description: String {
        "a stub does not know what \(converter) makes the value of: answer the request by a closure"
    }
}

extension StubReply {
    /// A value, written so that a request gets it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - converter: What the request does to the JSON before it decodes it.
    /// - Returns: The reply: text as it is, bytes as they are, anything else as JSON; with a key path, JSON that
    ///   has the value there.
    /// - Throws: ``UnknownConversion`` for any other converter.
    static func giving(
        _ value: some Encodable & Sendable,
        through converter: (any ResponseJSONConverter)?
    ) throws(UnknownConversion) -> StubReply {
        guard let converter else {
            return switch value {
            case let text as String: .text(text)
            case let data as Data: .data(data)
            default: .json(value)
            }
        }
        guard let node = converter as? KeyPathResponseConverter, !(value is Data) else {
            throw UnknownConversion(converter: "\(type(of: converter))")
        }
        return StubReply(
            .whole { encoder in
                let written = try encoder.encode(value)
                return try node.path.steps.reversed()
                    .reduce(written) { inner, step in
                        let name = try JSONEncoder().encode(step.key)
                        return Data("{".utf8) + name + Data(":".utf8) + inner + Data("}".utf8)
                    }
            },
            contentType: "application/json"
        )
    }
}

extension Request {
    /// What changes the JSON of a 2xx response, if anything does.
    ///
    /// - Throws: ``UnknownConversion`` if it is decoded from something else than JSON.
    func converterOfValue() throws(UnknownConversion) -> (any ResponseJSONConverter)? {
        let accept = MimeType(rawValue: responseDecoding.accept)
        guard accept.type == "*" || accept.subtype.hasSuffix("json") else {
            throw UnknownConversion(converter: "a decoding of \(accept.rawValue)")
        }
        return responseDecoding.readsBody ? responseConverter : nil
    }

    /// The path as a route has it: without a query of its own, which is a parameter.
    var pathOfRoute: String { String(path.prefix { $0 != "?" && $0 != "#" }) }
}
