import Foundation
import NetKit

/// An object of a HAR file that converts itself from and to JSON.
///
/// `Codable` would need less source code but more machine code.
protocol HARObject {
    init(_ members: HARReader) throws(HARProblem)
    var json: JSONValue { get }
}

/// A problem in a HAR file with its position.
///
/// For example: `log.entries[3].request: there is no "url"`
struct HARProblem: Error, CustomStringConvertible {
    private let place: String
    private let problem: String

    init(_ problem: String, at place: String = "") {
        self.place = place
        self.problem = problem
    }

    func inside(_ step: String) -> HARProblem {
        let separator = place.isEmpty || place.hasPrefix("[") ? "" : "."
        return HARProblem(problem, at: step + separator + place)
    }

    var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
}

/// A reader of an object's members, which returns nil for absent and null ones.
struct HARReader {
    private let members: [String: JSONValue]

    init(_ value: JSONValue) throws(HARProblem) {
        guard case .object(let members) = value else { throw HARProblem("not an object") }
        self.members = members
    }

    private func member(_ name: String) -> JSONValue? {
        let value = members[name]
        return value == .null ? nil : value
    }

    func text(_ name: String) throws(HARProblem) -> String? {
        guard let value = member(name) else { return nil }
        guard let text = value.stringValue else { throw HARProblem("not a string", at: name) }
        return text
    }

    func requiredText(_ name: String) throws(HARProblem) -> String {
        try required(name, try text(name))
    }

    func flag(_ name: String) throws(HARProblem) -> Bool? {
        guard let value = member(name) else { return nil }
        guard let flag = value.boolValue else { throw HARProblem("not a Boolean", at: name) }
        return flag
    }

    func number(_ name: String) throws(HARProblem) -> Double? {
        guard let value = member(name) else { return nil }
        // Converts by way of text, because the decimal's own conversion is often off by a digit.
        guard let number = value.decimalValue.flatMap({ Double($0.description) }) else {
            throw HARProblem("not a number", at: name)
        }
        return number
    }

    func integer(_ name: String) throws(HARProblem) -> Int? {
        guard let value = member(name) else { return nil }
        guard let integer = value.decimalValue.flatMap({ Int($0.description) }) else {
            throw HARProblem("not an integer", at: name)
        }
        return integer
    }

    func date(_ name: String) throws(HARProblem) -> HARDate {
        let text = try requiredText(name)
        guard let date = HARDate(text) else {
            throw HARProblem("not a date as ISO 8601 writes it: \(text.debugDescription)", at: name)
        }
        return date
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func object<Object: HARObject>(_ name: String) throws(HARProblem) -> Object? {
        guard let value = member(name) else { return nil }
        return try object(value, at: name)
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func list<Object: HARObject>(_ name: String) throws(HARProblem) -> [Object]? {
        guard let value = member(name) else { return nil }
        guard case .array(let elements) = value else { throw HARProblem("not an array", at: name) }
        var objects: [Object] = []
        for (index, element) in elements.enumerated() {
            objects.append(try object(element, at: "\(name)[\(index)]"))
        }
        return objects
    }

    func required<Value>(_ name: String, _ value: Value?) throws(HARProblem) -> Value {
        guard let value else { throw HARProblem("\"\(name)\" is missing") }
        return value
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private func object<Object: HARObject>(
        _ value: JSONValue,
        at place: String
    ) throws(HARProblem) -> Object {
        do throws(HARProblem) {
            return try Object(HARReader(value))
        } catch {
            throw error.inside(place)
        }
    }
}

extension JSONValue {
    /// Creates an object without the members that are nil.
    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object: [String: JSONValue] = [:]
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    static func of(_ text: String?) -> JSONValue? { text.map { .string($0) } }

    static func of(_ flag: Bool?) -> JSONValue? { flag.map { .bool($0) } }

    static func of(_ integer: Int?) -> JSONValue? { integer.map { .number(Decimal($0)) } }

    static func of(_ number: Double?) -> JSONValue? {
        number.map { .number(Decimal(written: $0) ?? .nan) }
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    static func of<Object: HARObject>(_ objects: [Object]?) -> JSONValue? {
        objects.map { .array($0.map(\.json)) }
    }
}
