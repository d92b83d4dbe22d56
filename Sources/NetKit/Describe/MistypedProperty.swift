import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A stored property that is named after a requirement of ``Request`` and has another type than it.
///
/// Swift takes it for a property of the request's own and the requirement's default for its value, so that what it
/// says would not be sent. The table of such types is closed: a property of a type that has nothing to do with the
/// requirement, such as a `priority` that is a string, is none of them.
package struct MistypedProperty: Equatable, Sendable {
    /// The property's name.
    package let name: String
    /// The type that it has.
    package let type: String
    /// The type that the request asks for.
    package let expected: String

    /// The mistyped properties of a request, those of its superclasses too.
    ///
    /// Computed properties can't be seen, nor those of a request that makes a mirror of its own.
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

/// A requirement of ``Request``, and the types that are taken for its own.
private struct Requirement: Sendable {
    private let type: String
    private let others: [ObjectIdentifier]
    private let isNear: @Sendable (Any.Type) -> Bool

    /// Makes a requirement.
    ///
    /// - Parameters:
    ///   - type: Its type, as it is written.
    ///   - others: Types that are taken for it.
    ///   - isNear: Whether a type, or what it is an Optional of, is taken for it. No other by default.
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

    /// The types of those requirements that are told by what conforms to them.
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
