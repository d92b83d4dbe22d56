import Foundation

@testable import NetKit
@testable import NetKitSupport

extension FuzzTarget {
    static let json = [
        FuzzTarget("json", JSONProperties.document),
        FuzzTarget("json-path", hasFirstLine: true, JSONProperties.path),
        FuzzTarget("json-diagnosis", JSONProperties.diagnosis),
    ]
}

/// JSON of response bodies.
private enum JSONProperties {
    /// Every reader of a document agrees on it, and what is written reads back.
    static func document(_ input: FuzzInput) throws {
        let body = input.data
        let value = accepted(try JSONText.value(of: body))
        let any = accepted(try JSONText.any(of: body))
        let slice = accepted(try JSONText.slice(of: body, at: .whole))
        try expect(value == nil || any != nil, "a converter gets what JSONValue holds")
        _ = JSONText.isNull(body)
        // DebugInfo.jsonResponse passes any body to it.
        _ = accepted(try JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed))
        _ = accepted(try ServerMessage.decode(from: response(body), using: JSONDecoder()))
        _ = accepted(try ProblemDetails.decode(from: response(body), using: JSONDecoder()))
        guard let value else { return }
        try expect(slice != nil, "the scanner takes what the parser takes")
        if let slice {
            try expect(accepted(try JSONText.value(of: slice)), is: value, "a slice is the value")
        }
        // Nothing to write where the number is none: Decimal rounds beyond its digits.
        if let written = accepted(try JSONWriter.data(from: value)) {
            let again = accepted(try JSONText.value(of: written))
            try expect(again, is: value, "what is written reads back")
        }
        if let decoded = accepted(try JSONDecoder().decode(JSONValue.self, from: body)) {
            try expect(decoded, is: value, "JSONDecoder reads the same")
        }
    }

    /// What is cut out at a key path is what stands there in the parsed document.
    static func path(_ input: FuzzInput) throws {
        let (text, rest) = input.lines
        let (body, path) = (Data(rest), JSONPath(dotted: text))
        let slice = accepted(try JSONText.slice(of: body, at: path))
        let converter = KeyPathResponseConverter(path: text)
        if let any = accepted(try JSONText.any(of: body)) {
            let converted = accepted(try converter.convertedJSON(from: any))
            let cut = accepted(try JSONText.slice(of: body, at: converter.path))
            try expect(converted != nil, is: cut != nil, "both ways of a converter find it")
        }
        guard let document = accepted(try JSONText.value(of: body)) else { return }
        let node = path.steps.reduce(Optional(document)) { node, step in
            switch node {
            case .object(let members): members[step.key]
            case .array: if let index = step.index { node?[index] } else { nil }
            default: nil
            }
        }
        var found: JSONValue?
        if let slice { found = accepted(try JSONText.value(of: slice)) }
        try expect(found, is: node, "the scanner finds the parser's node")
    }

    /// A body that can't be decoded is described in one line, whatever it is.
    static func diagnosis(_ input: FuzzInput) throws {
        do {
            _ = try JSONDecoding.value(
                Sample.self,
                of: response(input.data),
                decoder: JSONDecoder()
            )
        } catch {
            let line = ErrorSummary.line(for: error)
            try expect(!line.contains(where: \.isNewline), "a failure is one line: \(line)")
            try expect(error is DecodingFailure, "a failure of the body: \(type(of: error))")
        }
        let json5 = JSONDecoder()
        json5.allowsJSON5 = true
        for decoder in [JSONDecoder(), json5] {
            _ = accepted(
                try JSONDecoding.value([[Double]].self, of: response(input.data), decoder: decoder)
            )
        }
        _ = accepted(
            try JSONDecoding.value([String: Sample].self, of: response(input.data), decoder: json5)
        )
    }

    static func response(_ body: Data) throws -> HTTPResponse {
        guard let url = URL(string: "http://host.test/") else { throw Finding("no URL") }
        let request = EncodedRequest(url: url, method: .get)
        return HTTPResponse(to: request, ResponseHead(status: 400), body: body)
    }

    /// A value with parts of every kind.
    private struct Sample: Decodable, Sendable {
        enum Kind: String, Decodable { case one, two }

        struct Part: Decodable {
            var name: String
            var small: Int8?
        }

        var id: Int
        var price: Double?
        var amount: Decimal?
        var kind: Kind?
        var parts: [Part]?
        var map: [String: UInt]?
        var link: URL?
        var flag: Bool?
        var rest: JSONValue?
    }
}
