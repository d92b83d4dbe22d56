import Foundation
public import NetKit
import NetKitSupport

/// The error of a typed route that can't produce the JSON for a request's converter.
///
/// It is the underlying error of a ``TransportError`` of kind `.other`. Answer such a request with
/// a closure that returns the server's response.
public struct UnknownConversion: DescribedCause, Hashable {
    /// The type of the converter, or the media type of the decoding.
    public let converter: String

    /// A description in one line, with the converter.
    public var description: String {
        "a stub can't build a body for \(converter): respond with a closure"
    }
}

extension StubReply {
    /// Creates the reply from which a request decodes a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - converter: The converter that the request applies before decoding.
    /// - Returns: The reply: text and data unchanged, a nil `Data?` as an empty body, any other
    ///   value as JSON, nested at the key path if there is one.
    /// - Throws: ``UnknownConversion`` for any other converter.
    static func giving(
        _ value: some Encodable & Sendable,
        through converter: (any ResponseJSONConverter)?
    ) throws(UnknownConversion) -> StubReply {
        // A null would be bytes too. An empty body is nil, and isn't converted.
        if type(of: value) == Data?.self, !(value is Data) { return .data(Data()) }
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
    /// Returns the converter that applies to the JSON of a 2xx response, if any.
    ///
    /// - Throws: ``UnknownConversion`` if the response is decoded from another format than JSON.
    func converterOfValue() throws(UnknownConversion) -> (any ResponseJSONConverter)? {
        let accept = MimeType(rawValue: responseDecoding.accept)
        guard accept.type == "*" || accept.subtype.hasSuffix("json") else {
            throw UnknownConversion(converter: "a decoding of \(accept.rawValue)")
        }
        return responseDecoding.readsBody ? ownResponseConverter : nil
    }

    /// The path as a route has it: with placeholders in braces, and without a query of its own,
    /// which is a parameter.
    var pathOfRoute: String {
        let places = pathParameters.map { parameter -> PathTemplate.Place in
            let name = parameter.spansSegments ? "\(parameter.name)*" : parameter.name
            return (name, parameter.placeholder, [])
        }
        // A request whose parameters don't match its placeholders is refused before it reaches a route.
        let route = try? PathTemplate.filled(path, with: places, strictly: false).template
        return String(WrittenPath(route ?? path).path)
    }

    /// The values of the path's placeholders, by their names.
    var valuesOfRoute: [String: String] {
        guard var parameters = try? RequestParameters(path: [:]) else { return [:] }
        for place in pathParameters {
            // A request without the value is refused before it reaches a route.
            try? place.contribute(to: &parameters)
        }
        return Dictionary(
            parameters.path.map { ($0.name, $0.segments.joined(separator: "/")) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private var pathParameters: [any PathParameter] {
        RequestParameters.all(of: RequestEncoder.innermost(of: self))
            .compactMap { $0 as? any PathParameter }
    }
}
