public import Foundation
package import NetKitSupport

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
    /// - Throws: ``DecodingFailure``, even for a number that isn't finite and for more than 512 levels.
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

extension ServerSentEvent {
    /// Decodes the data as JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode. Defaults to the type that the context expects.
    ///   - decoder: The decoder. Defaults to a new `JSONDecoder`.
    /// - Returns: The value.
    /// - Throws: ``DecodingFailure``.
    public func decoded<Value: Decodable>(
        to type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try JSONDecoding.value(type, from: Data(data.utf8), decoder: decoder)
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
            if type == JSONValue.self, decoder.readsOnlyJSON,
                let value = try JSONText.value(of: body) as? Value
            {
                return value
            }
            text = try JSONText.decodable(body, by: decoder)
            return try decoder.decode(type, from: text)
        } catch let error as DecodingError {
            throw DecodingFailure(error, decoding: type, from: text, using: decoder)
        } catch let error as JSONSyntaxError {
            throw DecodingFailure(error, decoding: type)
        }
    }
}

extension JSONDecoder {
    /// Whether no setting lets the decoder read text that isn't JSON.
    var readsOnlyJSON: Bool { !allowsJSON5 && !assumesTopLevelDictionary }
}

extension HTTPResponse {
    /// Decodes the body, or one node of it, as JSON, whatever the status code.
    ///
    /// - Parameters:
    ///   - type: The type to decode. Defaults to the type that the context expects.
    ///   - decoder: The decoder. Defaults to a new `JSONDecoder`.
    ///   - keyPath: The path of the node, such as `data/items/0`, or `data.items.0` if it has no slash. Defaults to the
    ///     whole document.
    /// - Returns: The value. For an Optional, an empty body and JSON `null` decode to nil.
    /// - Throws: ``DecodingFailure``, or ``ConversionFailure`` if there is no node at `keyPath`.
    public func decoded<Value: Decodable>(
        to type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder(),
        keyPath: String = ""
    ) throws -> Value {
        try JSONDecoding.value(type, of: self, at: JSONPath(dotted: keyPath), decoder: decoder)
    }

    /// Parses the body as a JSON value with exact numbers.
    ///
    /// - Returns: The document.
    /// - Throws: ``DecodingFailure`` if the body is empty or isn't JSON.
    public func json() throws -> JSONValue {
        try decoded(to: JSONValue.self)
    }
}

extension ResponseStream {
    /// Returns the lines of the body decoded as JSON values (NDJSON), skipping empty lines.
    ///
    /// Reading throws the errors of ``lines``, ``DecodingFailure`` for a line that doesn't decode, and other errors of
    /// the type's `init(from:)`. The first error ends the sequence. The text of a ``DecodingFailure`` names the number of
    /// the line, and the endpoint's logger receives it.
    ///
    /// - Parameters:
    ///   - type: The type of each line. Defaults to the type that the context expects.
    ///   - decoder: The decoder. Defaults to that of the request or of the endpoint, or else a plain `JSONDecoder`.
    /// - Returns: The sequence of values.
    public func jsonLines<Value: ResponseObject>(
        of type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil
    ) -> ResponseElements<Value> {
        ResponseElements {
            var lines = LineReader(self)
            let decoder = decoder ?? self.decoder
            /// Returns the value of a line, or nil if it is blank.
            func value(of line: ArraySlice<UInt8>) throws -> Value? {
                guard line.contains(where: { !$0.isJSONWhiteSpace }) else { return nil }
                do {
                    return try JSONDecoding.value(Value.self, from: Data(line), decoder: decoder)
                } catch {
                    throw undecodable(error, inLine: lines.number)
                }
            }
            return .init(arrived: { try lines.arrived().flatMap(value) }) {
                while let line = try await lines.next() {
                    if let value = try value(of: line) { return value }
                }
                return nil
            }
        }
    }

    /// Returns the error of a line that doesn't decode, after reporting it to the call's log.
    func undecodable(_ error: any Error, inLine number: Int) -> any Error {
        let failure: any Error = (error as? DecodingFailure)?.inLine(number) ?? error
        onUndecodable(failure)
        return failure
    }
}

/// A response value for requests that need only the status code.
///
/// Every 2xx response and every JSON value decodes to it. If no `Decodable` type is needed, use `Void` instead.
public struct Empty: Codable, Hashable, Sendable {
    /// Creates the value.
    public init() {}
}

enum EmptyBody {
    /// Returns the value of an empty body, or nil if the type has none.
    static func value<Value>(as type: Value.Type) -> Value? {
        switch type {
        case is Data.Type: Data() as? Value
        case is String.Type: "" as? Value
        case is Empty.Type: Empty() as? Value
        case let optional as any OptionalValue.Type: optional.nilValue as? Value
        default: nil
        }
    }
}
