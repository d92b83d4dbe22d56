import Foundation
import NetKit

/// A response with the few questions that a page can ask of a fetch's.
struct StepResponse: Sendable {
    let status: Int
    let text: String
    private let headers: HTTPHeaders

    init(_ response: HTTPResponse) {
        self.init(status: response.statusCode, headers: response.headers, body: response.body)
    }

    init(status: Int, headers: HTTPHeaders, body: Data) {
        self.status = status
        self.headers = headers
        text = String(decoding: body, as: UTF8.self)
    }

    /// The value of a field, several joined by ", "; nil without such a field.
    subscript(_ name: String) -> String? {
        let values = headers.values(for: HTTPHeaderName(name))
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The field's number, as JavaScript's `parseInt` reads it: digits in front count.
    func number(_ name: String) -> Int? {
        self[name].flatMap(Self.number)
    }

    /// The number in front of a text.
    static func number(_ text: some StringProtocol) -> Int? {
        let text = text.drop { $0.isWhitespace }
        let sign = text.first == "-" || text.first == "+" ? 1 : 0
        let digits = text.dropFirst(sign).prefix { $0.isASCII && $0.isNumber }
        return Int(String(text.prefix(sign)) + String(digits))
    }

    /// The fields as lines, for people.
    var lines: [String] {
        headers.map { "\($0.name.rawName): \($0.value)" }.sorted()
    }
}
