import Foundation
import NetKit

/// A group of tests about one subject, such as the parsing of `Age`.
struct TestSuite: Sendable {
    let id: String
    let tests: [CacheTest]

    /// Reads the suites that `Tools/scripts/conformance --cache` exported.
    ///
    /// - Parameter file: A JSON array of suites.
    /// - Returns: The suites in their order.
    /// - Throws: An error of the file system or of the JSON, or ``UnknownForm``.
    static func load(_ file: URL) throws -> [TestSuite] {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
        return try json.elements("the suites").map(TestSuite.init)
    }

    init(_ json: JSONValue) throws {
        id = try json.text("id")
        tests = try json["tests"].orMissing("tests").elements("tests").map(CacheTest.init)
    }
}

/// One test: requests in order, and what has to be true of each.
struct CacheTest: Sendable {
    /// What a failure means.
    enum Kind: String, Sendable, CaseIterable {
        /// The cache breaks a rule.
        case required
        /// The cache asks the server more often than it has to.
        case optimal
        /// Nothing: the test only tells how the cache behaves.
        case check
    }

    let id: String
    let name: String
    let kind: Kind
    /// The tests that have to pass before this one tells anything.
    let dependencies: [String]
    /// Whether a private cache is tested: neither a CDN's test nor one that browsers skip.
    let isForPrivateCaches: Bool
    /// The requests as they are in the file; ``Step`` reads them.
    let requests: [JSONValue]

    init(_ json: JSONValue) throws {
        id = try json.text("id")
        name = try json.text("name")
        kind =
            switch json["kind"]?.stringValue {
            case nil: .required
            case let name?: try Kind(rawValue: name).orMissing("a kind called \(name)")
            }
        dependencies =
            try json["depends_on"]?.elements("depends_on").compactMap(\.stringValue) ?? []
        isForPrivateCaches = json["cdn_only"] != true && json["browser_skip"] != true
        requests = try json["requests"].orMissing("requests").elements("requests")
    }
}

/// The file has a form that the runner doesn't know; a newer version of the tests may have one.
struct UnknownForm: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Optional {
    /// The value, or an error that names what is missing.
    func orMissing(_ what: String) throws(UnknownForm) -> Wrapped {
        guard let self else { throw UnknownForm("\(what): missing or of an unknown form") }
        return self
    }
}

extension JSONValue {
    /// The elements of an array.
    func elements(_ what: String) throws(UnknownForm) -> [JSONValue] {
        guard case .array(let elements) = self else { throw UnknownForm("\(what): not an array") }
        return elements
    }

    /// The string under `key`.
    func text(_ key: String) throws(UnknownForm) -> String {
        try (self[key]?.stringValue).orMissing(key)
    }

    /// The integer; nil if this is none.
    var integer: Int? {
        guard let number = decimalValue, let integer = Int(number.description) else { return nil }
        return integer
    }
}
