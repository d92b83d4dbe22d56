import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A stored property with the name of a ``Request`` requirement but a near-miss type.
///
/// Swift treats it as an unrelated property and uses the requirement's default, so its value would be ignored. The
/// table of near-miss types is closed: an unrelated type, such as a string for `priority`, isn't reported.
package struct MistypedProperty: Equatable, Sendable {
    /// The property's name.
    package let name: String
    /// The property's type.
    package let type: String
    /// The type of the requirement.
    package let expected: String

    /// Finds the mistyped properties of a request, including those of its superclasses.
    ///
    /// Reflection can't see computed properties, or any property of a request with a custom mirror.
    package static func all<R: Request>(in request: R) -> [MistypedProperty] {
        guard !(request is any CustomReflectable) else { return [] }
        var found: [MistypedProperty] = []
        var next: Mirror? = Mirror(reflecting: request)
        while let mirror = next {
            // The children of an enum are the values of a case.
            guard mirror.displayStyle == .struct || mirror.displayStyle == .class else { break }
            for child in mirror.children {
                guard let name = child.label, let requirement = requirements[name] else { continue }
                let type = Swift.type(of: child.value)
                guard requirement.isNearlyMet(type, R.self) else { continue }
                let property = MistypedProperty(
                    name: name,
                    type: "\(type)",
                    expected: requirement.expected(R.self)
                )
                found.append(property)
            }
            next = mirror.superclassMirror
        }
        return found
    }
}

/// A requirement of ``Request``, and the types that are mistaken for its type.
private struct Requirement: Sendable {
    private let type: String
    private let others: [ObjectIdentifier]
    private let isNear: @Sendable (Any.Type) -> Bool

    /// Creates a requirement.
    ///
    /// - Parameters:
    ///   - type: The requirement's type, as written in source.
    ///   - others: Near-miss types.
    ///   - isNear: Whether a type, or the type wrapped by an Optional, is a near miss. Defaults to false for every
    ///     type.
    @inline(never)
    init(
        _ type: String,
        _ others: [Any.Type] = [],
        isNear: @escaping @Sendable (Any.Type) -> Bool = { _ in false }
    ) {
        self.type = type
        self.others = others.map { ObjectIdentifier($0) }
        self.isNear = isNear
    }

    func isNearlyMet<R: Request>(_ type: Any.Type, _ request: R.Type) -> Bool {
        guard !Self.exact(request).contains(ObjectIdentifier(type)) else { return false }
        if others.contains(ObjectIdentifier(type)) { return true }
        return isNear((type as? any OptionalValue.Type)?.wrappedType ?? type)
    }

    func expected<R: Request>(_ request: R.Type) -> String {
        type.replacing("Value", with: "\(R.ResponseObjectType.self)")
    }

    /// The exact types of requirements whose near misses are found by conformance.
    private static func exact<R: Request>(_ request: R.Type) -> [ObjectIdentifier] {
        [
            ObjectIdentifier((any ResponseJSONConverter)?.self),
            ObjectIdentifier(JSONDecoder?.self),
            ObjectIdentifier([any Interceptor].self),
            ObjectIdentifier(ResponseDecoding<R.ResponseObjectType>.self),
        ]
    }
}

extension MistypedProperty {
    private static let converter = Requirement(
        "(any ResponseJSONConverter)?",
        [(any ResponseJSONConverter).self]
    ) { $0 is any ResponseJSONConverter.Type }

    private static let requirements: [String: Requirement] = [
        "method": Requirement("HTTPMethod", [HTTPMethod?.self]),
        "queryParams": Requirement(
            "[(String, String)]",
            [
                [(String, String)]?.self, [(String, String?)].self,
                [(name: String, value: String)].self,
                [(key: String, value: String)].self, [QueryItem].self, [URLQueryItem].self,
                [URLQueryItem]?.self, [String: String].self, [String: String]?.self,
                [String: Any].self, [String: Any]?.self,
            ]
        ),
        "queryItems": Requirement(
            "[QueryItem]",
            [
                [QueryItem]?.self, [URLQueryItem].self, [URLQueryItem]?.self,
                [(String, String)].self, [String: String].self,
            ]
        ),
        "body": Requirement(
            "RequestBody?",
            [
                RequestBody.self, Data.self, Data?.self, JSONValue.self, JSONValue?.self,
                [String: Any].self, [String: Any]?.self,
            ]
        ),
        "headers": Requirement(
            "HTTPHeaders",
            [
                HTTPHeaders?.self, [HTTPHeaderName: String].self, [HTTPHeaderName: String]?.self,
                [String: String].self, [String: String]?.self, [(String, String)].self,
                [(HTTPHeaderName, String)].self,
            ]
        ),
        "timeout": Requirement(
            "TimeInterval?",
            [
                Double.self, Float.self, Float?.self, Int.self, Int?.self, Duration.self,
                Duration?.self,
            ]
        ),
        "authToken": Requirement("AuthToken?", [AuthToken.self]),
        "isAuthenticated": Requirement("Bool", [Bool?.self]),
        "retryPolicy": Requirement("RetryPolicy?", [RetryPolicy.self]),
        "responseConverter": converter,
        "errorConverter": converter,
        "endpoint": Requirement("Endpoint?", [Endpoint.self]),
        "decoder": Requirement("JSONDecoder?") { $0 is JSONDecoder.Type },
        "interceptors": Requirement("[any Interceptor]") { type in
            let element = (type as? any AnyArray.Type)?.elementType ?? type
            return element == (any Interceptor).self || element is any Interceptor.Type
        },
        "isCoalesced": Requirement("Bool", [Bool?.self]),
        "cachePolicy": Requirement(
            "CachePolicy",
            [CachePolicy?.self, URLRequest.CachePolicy.self, URLRequest.CachePolicy?.self]
        ),
        "priority": Requirement("RequestPriority", [RequestPriority?.self]),
        "context": Requirement("RequestContext", [RequestContext?.self]),
        "redaction": Requirement("Redaction?", [Redaction.self]),
        "responseDecoding": Requirement("ResponseDecoding<Value>") { $0 is any AnyDecoding.Type },
    ]
}

private protocol AnyArray {
    static var elementType: Any.Type { get }
}

extension Array: AnyArray {
    fileprivate static var elementType: Any.Type { Element.self }
}

private protocol AnyDecoding {}

extension ResponseDecoding: AnyDecoding {}
