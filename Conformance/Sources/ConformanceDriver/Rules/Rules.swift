import NetKit

/// A pure rule: JSON in, JSON out.
typealias Rule = @Sendable (JSONValue) async throws -> JSONValue

/// The rules by name.
let rules: [String: Rule] = [:]
