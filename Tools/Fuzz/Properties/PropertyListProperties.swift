import Foundation

@testable import NetKit

extension FuzzTarget {
    static let propertyLists = [
        FuzzTarget("property-list", PropertyListProperties.body)
    ]
}

/// XML and binary property lists of response bodies, within the limits that NetKit sets for Foundation.
private enum PropertyListProperties {
    /// A body that can't be decoded is described in one line, and what is decoded is written in both formats.
    static func body(_ input: FuzzInput) throws {
        do {
            let value = try decoded(input.data)
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                let encoder = PropertyListEncoder()
                encoder.outputFormat = format
                guard let written = accepted(try encoder.encode([value])) else { continue }
                let again = accepted(try PropertyListDecoder().decode([Value].self, from: written))
                try expect(again != nil, "what is written in format \(format.rawValue) reads back")
            }
        } catch let error as DecodingFailure {
            let line = ErrorSummary.line(for: error)
            try expect(!line.contains(where: \.isNewline), "a failure is one line: \(line)")
        }
    }

    private static func decoded(_ body: Data) throws -> Value {
        guard let url = URL(string: "http://host.test/") else { throw Finding("no URL") }
        let request = EncodedRequest(url: url, method: .get)
        let response = HTTPResponse(to: request, ResponseHead(status: 200), body: body)
        return try ResponseDecoding<Value>.propertyList.decode(response, JSONDecoder())
    }

    /// Any value of a property list, so that every object of the body is visited.
    private indirect enum Value: Codable, Sendable {
        case text(String), flag(Bool), integer(Int64), natural(UInt64), number(Double), date(Date)
        case data(Data), list([Value]), map([String: Value])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let natural = try? value.decode(UInt64.self) {
                self = .natural(natural)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let date = try? value.decode(Date.self) {
                self = .date(date)
            } else if let data = try? value.decode(Data.self) {
                self = .data(data)
            } else if let list = try? value.decode([Value].self) {
                self = .list(list)
            } else {
                self = .map(try value.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let value): try container.encode(value)
            case .flag(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .natural(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .date(let value): try container.encode(value)
            case .data(let value): try container.encode(value)
            case .list(let value): try container.encode(value)
            case .map(let value): try container.encode(value)
            }
        }
    }
}
