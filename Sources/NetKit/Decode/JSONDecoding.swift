public import Foundation

extension JSONValue {
    /// Decodes the document as a type, such as a node of a response whose kind another node tells.
    ///
    /// ```swift
    /// let event = try await endpoint.value(for: EventRequest())
    /// if event["kind"] == "order", let order = event["data"] { show(try order.decoded(to: Order.self)) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to decode. Defaults to the type that the context expects.
    ///   - decoder: The decoder. Defaults to a new `JSONDecoder`.
    /// - Returns: The value.
    /// - Throws: ``DecodingFailure``, also for a number that isn't finite and for more than 512 levels.
    public func decoded<Value: Decodable>(
        to type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        let text: [UInt8]
        do throws(Unencodable) {
            text = try JSONValueWriter.text(of: self)
        } catch {
            throw DecodingFailure.noJSON(error, decoding: type)
        }
        return try JSONDecoding.value(type, from: Data(text), decoder: decoder)
    }
}

/// Decodes a response's body as JSON, with the rules for empty bodies.
package enum JSONDecoding {
    /// Decodes the value of a response.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - response: The response, whatever its status code and Content-Type.
    ///   - path: The path of the node to decode. Defaults to the whole document.
    ///   - decoder: The decoder to use.
    /// - Returns: The value. An empty body decodes to types that allow it, such as an Optional.
    /// - Throws: ``DecodingFailure``, ``ConversionFailure`` if there is no node at `path`, or an error of `init(from:)`
    ///   other than `DecodingError`.
    package static func value<Value: Decodable>(
        _ type: Value.Type,
        of response: HTTPResponse,
        at path: JSONPath = .whole,
        decoder: JSONDecoder
    ) throws -> Value {
        guard !response.hasNoContent else {
            guard let value = EmptyBody.value(as: type) else {
                throw DecodingFailure.emptyBody(type)
            }
            return value
        }
        guard !path.steps.isEmpty else {
            return try value(type, from: response.body, decoder: decoder)
        }
        do {
            let node = try JSONText.slice(of: response.body, at: path)
            return try value(type, from: node, decoder: decoder)
        } catch let failure as DecodingFailure {
            throw failure.below(path)
        }
    }

    /// Decodes the value of a JSON text.
    ///
    /// - Throws: ``DecodingFailure``, or an error of `init(from:)` other than `DecodingError`.
    static func value<Value: Decodable>(
        _ type: Value.Type,
        from body: Data,
        decoder: JSONDecoder
    ) throws -> Value {
        var text = body
        do {
            if type == JSONValue.self, let value = try JSONText.value(of: body) as? Value {
                return value
            }
            text = try JSONText.decodable(body, by: decoder)
            return try decoder.decode(type, from: text)
        } catch {
            throw failure(error, type, text, decoder)
        }
    }

    /// Converts a decoding error to the error that the call reports.
    private static func failure(
        _ error: any Error,
        _ type: any Decodable.Type,
        _ body: Data,
        _ decoder: JSONDecoder
    ) -> any Error {
        switch error {
        case let error as DecodingError:
            DecodingFailure(error, decoding: type, from: body, using: decoder)
        case let error as JSONSyntaxError: DecodingFailure(error, decoding: type)
        default: error
        }
    }
}
