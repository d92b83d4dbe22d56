import Foundation
import NetKitSupport

/// A property of a request that Swift takes for an unrelated one, so that its value would be ignored.
///
/// It has the name of a ``Request`` requirement, but another type. Or it has one of a few names that are written for a
/// requirement by mistake, and nothing else of the request uses its value.
package struct MistypedProperty: Equatable, Sendable {
    /// The property's name.
    package let name: String
    /// The property's type.
    package let type: String
    /// The type of the requirement, or the requirement that is meant, with its type.
    package let expected: String

    /// Finds the mistyped properties of a request, including those of its superclasses.
    ///
    /// Stored properties come first, in the order of their declaration. A parameter such as ``Query`` can have any name.
    package static func all<R: Request>(in request: R) -> [MistypedProperty] {
        let stored = StoredProperties.of(request)
        let parameters = Set(stored.filter { $0.value is any RequestParameter }.map(\.label))
        let wrong = RequestMember.all(of: R.self)
            .filter { member in
                !member.isExact && !parameters.contains("_\(member.name)")
                    && !member.isHonored(in: request)
            }
        var found: [MistypedProperty] = []
        for (label, value) in stored {
            if let member = wrong.first(where: { $0.name == label }) {
                found.append(MistypedProperty(member))
            } else if label == "responseDecoding", value is any AnyDecoding,
                !(value is ResponseDecoding<R.ResponseObjectType>)
            {
                let expected = "ResponseDecoding<\(R.ResponseObjectType.self)>"
                found.append(
                    MistypedProperty(
                        name: label,
                        type: "\(Swift.type(of: value))",
                        expected: expected
                    )
                )
            }
        }
        let known = Set(found.map(\.name))
        return found + wrong.filter { !known.contains($0.name) }.map { MistypedProperty($0) }
    }

    /// The names of the stored properties that are written by mistake, and may be ignored.
    static func misnamed(in request: some Request) -> [String] {
        StoredProperties.of(request).map(\.label).filter { meant[$0] != nil }
    }

    /// The first misnamed property whose value isn't empty, in a request that doesn't use it.
    ///
    /// A request uses it if it has what the name means: a query for `query`, another base for `url`. A request with a
    /// body or parameters may use any of them there, but for `baseURL`.
    package static func ignored(in request: some Request) -> MistypedProperty? {
        for (label, value) in StoredProperties.of(request) {
            guard let meaning = meant[label], !isEmpty(value), !meaning.isUsed(value, in: request)
            else { continue }
            return MistypedProperty(
                name: label,
                type: "\(Swift.type(of: value))",
                expected: meaning.expected(by: request)
            )
        }
        return nil
    }

    private init(name: String, type: String, expected: String) {
        (self.name, self.type, self.expected) = (name, type, expected)
    }

    private init(_ member: RequestMember) {
        self.init(name: member.name, type: "\(member.type)", expected: member.spelling)
    }

    /// Whether a value is nil or has no elements.
    private static func isEmpty(_ value: Any) -> Bool {
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else { return true }
            return isEmpty(wrapped)
        }
        if let collection = value as? any Collection { return collection.isEmpty }
        if let headers = value as? HTTPHeaders { return headers.fields.isEmpty }
        return false
    }
}

/// What a misnamed property is meant to be.
private struct Meaning: Sendable {
    /// The requirement that is meant, with its type.
    let expected: String
    /// The same for a request whose method allows a body.
    private let expectedWithBody: String?
    /// Whether a body or a parameter may use the value.
    private let mayBeParameter: Bool
    /// Whether a request has a value for the requirement that is meant.
    private let hasOwn: @Sendable (Any, any Request) -> Bool

    init(
        _ expected: String,
        withBody expectedWithBody: String? = nil,
        mayBeParameter: Bool = true,
        hasOwn: @escaping @Sendable (Any, any Request) -> Bool
    ) {
        (self.expected, self.expectedWithBody) = (expected, expectedWithBody)
        (self.mayBeParameter, self.hasOwn) = (mayBeParameter, hasOwn)
    }

    func expected(by request: some Request) -> String {
        request.ownMethod.allowsBody ? expectedWithBody ?? expected : expected
    }

    func isUsed(_ value: Any, in request: any Request) -> Bool {
        if hasOwn(value, request) { return true }
        if mayBeParameter,
            request.body != nil || !request.queryParams.isEmpty || !request.queryItems.isEmpty
                || !RequestParameters.all(of: request).isEmpty
        {
            return true
        }
        // A text may be a part of the path, and an address of a header field.
        guard let text = value as? String ?? (value as? URL)?.absoluteString else { return false }
        let path = request.path
        return path.contains(text) || (path.removingPercentEncoding ?? path).contains(text)
            || text.contains("://") && request.headers.contains { $0.value.contains(text) }
    }
}

extension MistypedProperty {
    private static let query = Meaning("queryParams: [(String, String)]", hasOwn: hasQuery)
    private static let parameters = Meaning(
        query.expected,
        withBody: "body: RequestBody? = .params(…)",
        hasOwn: hasQuery
    )
    private static let address = Meaning("endpoint: Endpoint?", hasOwn: hasAddress)
    private static let base =
        Meaning("endpoint: Endpoint?", mayBeParameter: false, hasOwn: hasAddress)

    private static let header = Meaning("headers: HTTPHeaders") { _, request in
        !request.headers.fields.isEmpty
    }
    private static let authentication =
        Meaning("isAuthenticated: Bool", mayBeParameter: false) { value, request in
            value as? Bool == request.isAuthenticated
        }

    private static let hasQuery: @Sendable (Any, any Request) -> Bool = { _, request in
        request.path.contains("?")
    }

    private static let hasAddress: @Sendable (Any, any Request) -> Bool = { value, request in
        request.endpoint != nil || WrittenPath(request.path).isAbsolute
            || (value as? URL).map { $0.path.hasSuffix(request.path) } ?? false
    }

    /// The closed list of names that are written by mistake.
    private static let meant: [String: Meaning] = [
        "query": query, "queryParameters": query, "params": parameters, "parameters": parameters,
        "httpMethod": Meaning("method: HTTPMethod") { value, request in
            let text = (value as? HTTPMethod)?.rawValue ?? value as? String
            return text == nil || text?.uppercased() == "GET" || request.ownMethod != .get
        },
        "httpBody": Meaning("body: RequestBody?") { _, _ in false },
        "header": header, "httpHeaders": header,
        "timeoutInterval": Meaning("timeout: Duration?", mayBeParameter: false) { _, request in
            request.ownTimeout != nil
        },
        "requiresAuthentication": authentication, "requiresAuth": authentication,
        "needsAuthentication": authentication,
        "baseURL": base, "url": address,
    ]
}

private protocol AnyDecoding {}

extension ResponseDecoding: AnyDecoding {}
