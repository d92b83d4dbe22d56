public import Foundation
import NetKitSupport

extension ResponseDecoding where Value: Decodable {
    /// Decodes JSON, whatever the Content-Type, and requests `application/json`.
    ///
    /// An empty body decodes to nil for an Optional, and to an empty `Data`, `String`, or ``Empty``. For any other
    /// type, it throws ``DecodingFailure``. JSON `null` decodes to nil.
    public static var json: Self { json(node: .whole) }

    /// Decodes one node of a JSON document without parsing the rest.
    ///
    /// - Parameter keyPath: The path of the node, such as `data/items/0`, or `data.items.0` if it has no slash. Steps
    ///   are names of members and indices of elements. Empty for the whole document.
    /// - Returns: The decoding, which throws ``ConversionFailure`` if there is no such node.
    public static func json(at keyPath: String) -> Self {
        json(node: JSONPath(dotted: keyPath))
    }

    private static func json(node path: JSONPath) -> Self {
        // `Empty` accepts every body, including those that aren't JSON.
        if Value.self == Empty.self,
            let empty = ResponseDecoding<Empty>.ignoringBody(Empty()) as? Self
        {
            return empty
        }
        return Self(accept: "application/json", readsBody: true) { response, decoder in
            try JSONDecoding.value(Value.self, of: response, at: path, decoder: decoder)
        }
    }

    /// The default decoding of the type: bytes for `Data`, text for `String`, or else JSON.
    ///
    /// For an Optional of `Data` or `String`, an empty body decodes to nil.
    package static var automatic: Self {
        if Value.self == Data.self, let data = ResponseDecoding<Data>.data as? Self { return data }
        if Value.self == String.self, let text = ResponseDecoding<String>.text as? Self {
            return text
        }
        if Value.self == Data?.self, let data = ResponseDecoding<Data?>.optionalData as? Self {
            return data
        }
        if Value.self == String?.self, let text = ResponseDecoding<String?>.optionalText as? Self {
            return text
        }
        return .json
    }
}

extension ResponseDecoding {
    /// The default decoding of a `Decodable` type, or of `Void`, which is the tuple of no parts.
    ///
    /// A tuple of several types decodes each part from the same body.
    static func byType<each Part: Decodable & Sendable>() -> Self
    where Value == (repeat each Part) {
        var (accept, readsBody) = ("*/*", false)
        for decoding in repeat ResponseDecoding<each Part>.automatic {
            // A tuple of one part is that part.
            if let whole = decoding as? Self { return whole }
            readsBody = true
            // A part that takes any body takes what another part needs.
            if accept == "*/*" { accept = decoding.accept }
        }
        return Self(accept: accept, readsBody: readsBody) { response, decoder in
            (repeat try ResponseDecoding<each Part>.automatic.decode(response, decoder))
        }
    }
}

extension ResponseDecoding where Value == Data {
    /// The decompressed bytes of the body, or the JSON text of a converted response.
    public static var data: Self {
        Self(accept: "*/*", readsBody: true) { response, _ in response.body }
    }
}

extension ResponseDecoding where Value == String {
    /// Decodes the body as text in the charset of its Content-Type.
    ///
    /// Defaults to UTF-8. A byte order mark is removed. A JSON response that is a single string decodes to the string's
    /// content. A body that isn't valid text fails the call.
    public static var text: Self {
        Self(accept: "*/*", readsBody: true) { response, _ in try response.plainText() }
    }
}

extension ResponseDecoding where Value == Void {
    /// Accepts any 2xx response, whatever its body, and runs no converters.
    public static var empty: Self { ignoringBody(()) }
}

extension ResponseDecoding where Value == Data? {
    fileprivate static var optionalData: Self {
        Self(accept: "*/*", readsBody: true) { response, _ in
            response.body.isEmpty ? nil : response.body
        }
    }
}

extension ResponseDecoding where Value == String? {
    fileprivate static var optionalText: Self {
        Self(accept: "*/*", readsBody: true) { response, _ in
            let isNull = response.hasJSONContent && JSONText.isNull(response.body)
            return response.body.isEmpty || isNull ? nil : try response.plainText()
        }
    }
}

extension ResponseDecoding {
    fileprivate static func ignoringBody(_ value: Value) -> Self {
        Self(accept: "*/*", readsBody: false) { _, _ in value }
    }
}

extension HTTPResponse {
    /// Returns the text in its charset, or the content of a JSON string.
    ///
    /// - Returns: The text, which is empty for an empty body.
    /// - Throws: ``UnreadableText`` if the body isn't valid text.
    func plainText() throws(UnreadableText) -> String {
        let text = try strictText()
        guard hasJSONContent,
            body.first(where: { !$0.isJSONWhiteSpace }) == UInt8(ascii: "\""),
            // Text that only looks like a JSON string is used as it is.
            case .string(let content)? = try? JSONText.value(of: body)
        else { return text }
        return content
    }

    /// Whether the Content-Type is JSON or a format based on it (RFC 6839).
    var hasJSONContent: Bool { mediaType?.isJSON ?? false }
}
