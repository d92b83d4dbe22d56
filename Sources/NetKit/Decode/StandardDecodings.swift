public import Foundation

extension ResponseDecoding where Value: Decodable {
    /// Decodes JSON, whatever the Content-Type, and asks for `application/json`.
    ///
    /// A response without a body makes nil of an Optional, an empty `Data`, `String` or ``Empty``, and
    /// fails for all else with a ``DecodingFailure`` that says so. JSON `null` makes nil.
    public static var json: Self { json(node: .whole) }

    /// Decodes one node of a JSON document; the rest is not parsed.
    ///
    /// - Parameter keyPath: The way to the node, `data/items/0` or, without any slash, `data.items.0`:
    ///   names of members and indices of elements. Empty for the whole document.
    /// - Returns: The decoding, which fails with a ``ConversionFailure`` if there is no such node.
    public static func json(at keyPath: String) -> Self {
        json(node: JSONPath(dotted: keyPath))
    }

    private static func json(node path: JSONPath) -> Self {
        // `Empty` takes every body, of which some are not JSON.
        if Value.self == Empty.self,
            let empty = ResponseDecoding<Empty>.ignoringBody(Empty()) as? Self
        {
            return empty
        }
        return Self(accept: "application/json", readsBody: true) { response, decoder in
            try JSONDecoding.value(Value.self, of: response, at: path, decoder: decoder)
        }
    }

    /// The decoding that goes with the type: bytes for `Data`, text for `String` (nil of an empty body for
    /// their Optionals), JSON for all others.
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

extension ResponseDecoding where Value == Data {
    /// The body's bytes as they are, after decompression; of a converted response, the JSON text.
    public static var data: Self {
        Self(accept: "*/*", readsBody: true) { response, _ in response.body }
    }
}

extension ResponseDecoding where Value == String {
    /// The body's text in the charset that its Content-Type announces, UTF-8 if none.
    ///
    /// A byte order mark is left out. Of a JSON response that is one string, the string's content. The call
    /// fails if the body is no text.
    public static var text: Self {
        Self(accept: "*/*", readsBody: true) { response, _ in try TextDecoding.value(of: response) }
    }
}

extension ResponseDecoding where Value == Void {
    /// Succeeds for any 2xx response, with whatever body; converters are not run.
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
            return response.body.isEmpty || isNull ? nil : try TextDecoding.value(of: response)
        }
    }
}

extension ResponseDecoding {
    fileprivate static func ignoringBody(_ value: Value) -> Self {
        Self(accept: "*/*", readsBody: false) { _, _ in value }
    }
}

/// Decodes a response's body as text.
enum TextDecoding {
    /// The text of a response in its charset; of one that is a JSON string, that string's content.
    ///
    /// - Parameter response: The response.
    /// - Returns: The text, empty for a response without a body.
    /// - Throws: ``UnreadableText`` if the body is not text.
    static func value(of response: HTTPResponse) throws(UnreadableText) -> String {
        let text = try response.strictText()
        guard response.hasJSONContent,
            response.body.first(where: { !$0.isJSONWhiteSpace }) == UInt8(ascii: "\""),
            // A text that only looks like a JSON string is itself.
            case .string(let content)? = try? JSONText.value(of: response.body)
        else { return text }
        return content
    }
}

extension HTTPResponse {
    /// Whether the Content-Type is JSON's, or that of a format built on it (RFC 6839).
    var hasJSONContent: Bool {
        guard let subtype = headers.contentType?.subtype.lowercased() else { return false }
        return subtype == "json" || subtype.hasSuffix("+json")
    }
}

extension ResponseDecoding where Value: Decodable {
    /// Decodes a property list, XML or binary.
    ///
    /// It asks for `application/x-plist`. A body that is none is a ``DecodingFailure``, and so is one whose arrays and
    /// dictionaries nest more than 512 deep, XML in another charset than UTF-8, and a binary one whose references make
    /// far more of it than it has bytes.
    public static var propertyList: Self {
        Self(accept: "application/x-plist, application/xml;q=0.9", readsBody: true) { response, _ in
            do {
                guard response.body.withUnsafeBytes(PropertyListLimits.permit) else {
                    let problem = "no property list, or one beyond the limits"
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: problem)
                    )
                }
                return try PropertyListDecoder().decode(Value.self, from: response.body)
            } catch let error as DecodingError {
                throw DecodingFailure(error, decoding: Value.self, as: "a property list")
            }
        }
    }
}
