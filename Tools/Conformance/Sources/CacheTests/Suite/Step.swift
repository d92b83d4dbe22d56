import NetKit

/// One request of a test, and what has to be true of its response and of what the server saw.
struct Step: Sendable {
    enum Origin: String, Sendable {
        case cached
        case notCached = "not_cached"
        case etagValidated = "etag_validated"
        case dateValidated = "lm_validated"
    }

    /// A text that a test expects, or says that it doesn't look at (`null`).
    enum Expectation<Value: Sendable & Hashable>: Sendable, Hashable {
        case anything
        case value(Value)
    }

    // The request.
    let method: String?
    let fields: [Field]
    let body: String?
    let file: String?
    let query: String?
    let cacheMode: FetchCacheMode
    let followsRedirects: Bool
    let isDateRelative: Bool
    let pausesAfter: Bool

    // What is expected.
    let origin: Origin?
    let expectedStatus: Expectation<Int>?
    let configuredStatus: Int?
    let responseFields: [FieldExpectation]?
    let missingResponseFields: [FieldExpectation]?
    let checksBody: Bool
    let expectedText: Expectation<String>?
    let configuredBody: Expectation<String>?
    let requestFields: [FieldExpectation]?
    let missingRequestFields: [FieldExpectation]?
    let expectedMethod: String?

    let hasRelativeLocations: Bool
    let obsoleteDates: [String]
    private let isSetup: Bool
    private let setupMembers: [String]

    /// Reads a request of a test.
    ///
    /// - Parameter json: The request as it is in the file.
    /// - Throws: ``UnknownForm`` for whatever the runner would have to pass over.
    init(_ json: JSONValue) throws {
        guard case .object(let members) = json else { throw UnknownForm("a request: no object") }
        if let unknown = members.keys.sorted().first(where: { !Self.members.contains($0) }) {
            throw UnknownForm("the member \(unknown) of a request is not supported")
        }
        method = try Self.text(json, "request_method")
        fields = try Self.list(json, "request_headers")?.map(Field.init) ?? []
        body = try Self.text(json, "request_body")
        file = try Self.text(json, "filename")
        query = try Self.text(json, "query_arg")
        cacheMode =
            if let mode = try Self.text(json, "cache") {
                try FetchCacheMode(rawValue: mode).orMissing("a cache mode called \(mode)")
            } else {
                .default
            }
        followsRedirects =
            switch try Self.text(json, "redirect") {
            case nil, "follow": true
            case "manual": false
            case let mode?: throw UnknownForm("redirect: \(mode) is not supported")
            }
        isDateRelative = json["magic_ims"] == true
        pausesAfter = json["pause_after"] == true

        origin = try Self.text(json, "expected_type")
            .map { name in
                try Origin(rawValue: name).orMissing("a type called \(name)")
            }
        expectedStatus = try Self.expectation(json, "expected_status", \.integer)
        configuredStatus = try json["response_status"]
            .map { status in
                try (status[0]?.integer).orMissing("response_status")
            }
        responseFields = try Self.expectations(json, "expected_response_headers")
        missingResponseFields = try Self.expectations(json, "expected_response_headers_missing")
        checksBody = json["check_body"] != false
        expectedText = try Self.expectation(json, "expected_response_text", \.stringValue)
        configuredBody = try Self.expectation(json, "response_body", \.stringValue)
        requestFields = try Self.expectations(json, "expected_request_headers")
        missingRequestFields = try Self.expectations(json, "expected_request_headers_missing")
        expectedMethod = try Self.text(json, "expected_method")

        hasRelativeLocations = json["magic_locations"] == true
        obsoleteDates = try Self.list(json, "rfc850date")?.compactMap(\.stringValue) ?? []
        isSetup = json["setup"] == true
        setupMembers = try Self.list(json, "setup_tests")?.compactMap(\.stringValue) ?? []
    }

    /// Whether an unmet expectation only says that the test could not be set up.
    ///
    /// - Parameter member: The expectation's member in the file.
    /// - Returns: Whether it is part of the setup.
    func isSetup(_ member: String) -> Bool {
        isSetup || setupMembers.contains(member)
    }

    /// What is read here, or by the server alone.
    private static let members: Set<String> = [
        "request_method", "request_headers", "request_body", "filename", "query_arg", "cache",
        "redirect", "magic_ims", "pause_after", "expected_type", "expected_status",
        "response_status", "expected_response_headers", "expected_response_headers_missing",
        "check_body", "expected_response_text", "response_body", "expected_request_headers",
        "expected_request_headers_missing", "expected_method", "magic_locations", "rfc850date",
        "setup", "setup_tests", "response_headers", "response_pause", "disconnect",
    ]

    private static func text(_ json: JSONValue, _ key: String) throws -> String? {
        try json[key].map { try $0.stringValue.orMissing(key) }
    }

    private static func list(_ json: JSONValue, _ key: String) throws -> [JSONValue]? {
        try json[key].map { try $0.elements(key) }
    }

    private static func expectations(
        _ json: JSONValue,
        _ key: String
    ) throws -> [FieldExpectation]? {
        try list(json, key)?.map(FieldExpectation.init)
    }

    private static func expectation<Value>(
        _ json: JSONValue,
        _ key: String,
        _ value: (JSONValue) -> Value?
    ) throws -> Expectation<Value>? {
        try json[key]
            .map { member in
                member == .null ? .anything : .value(try value(member).orMissing(key))
            }
    }
}
