import Foundation
import NetKitSupport

/// The properties by which NetKit finds those of a ``Request`` that have the name of a requirement, but another type.
///
/// Swift makes such a property, stored or computed, the witness of a requirement here, and uses the default of the
/// requirement in ``Request``. NetKit compares the types once for each type of request. Don't conform to this protocol.
// swift-format-ignore: NoLeadingUnderscores
public protocol _RequestMembers: Sendable {
    /// The request whose properties are the defaults of this one's, or nil.
    var _wrappedRequest: (any Request)? { get }

    associatedtype _Method
    @_disfavoredOverload var method: _Method { get }
    associatedtype _QueryParams
    @_disfavoredOverload var queryParams: _QueryParams { get }
    associatedtype _QueryItems
    @_disfavoredOverload var queryItems: _QueryItems { get }
    associatedtype _Headers
    @_disfavoredOverload var headers: _Headers { get }
    associatedtype _Body
    @_disfavoredOverload var body: _Body { get }
    associatedtype _AuthToken
    @_disfavoredOverload var authToken: _AuthToken { get }
    associatedtype _IsAuthenticated
    @_disfavoredOverload var isAuthenticated: _IsAuthenticated { get }
    associatedtype _Decoder
    @_disfavoredOverload var decoder: _Decoder { get }
    associatedtype _ResponseConverter
    @_disfavoredOverload var responseConverter: _ResponseConverter { get }
    associatedtype _ErrorConverter
    @_disfavoredOverload var errorConverter: _ErrorConverter { get }
    associatedtype _Endpoint
    @_disfavoredOverload var endpoint: _Endpoint { get }
    associatedtype _Interceptors
    @_disfavoredOverload var interceptors: _Interceptors { get }
    associatedtype _Timeout
    @_disfavoredOverload var timeout: _Timeout { get }
    associatedtype _RetryPolicy
    @_disfavoredOverload var retryPolicy: _RetryPolicy { get }
    associatedtype _CachePolicy
    @_disfavoredOverload var cachePolicy: _CachePolicy { get }
    associatedtype _IsCoalesced
    @_disfavoredOverload var isCoalesced: _IsCoalesced { get }
    associatedtype _Priority
    @_disfavoredOverload var priority: _Priority { get }
    associatedtype _Context
    @_disfavoredOverload var context: _Context { get }
    associatedtype _Redaction
    @_disfavoredOverload var redaction: _Redaction { get }
}

/// A requirement of ``Request`` with a default, and the type of a request's property of that name.
struct RequestMember {
    let name: String
    /// The type of the request's own property, or of the default.
    let type: any Any.Type
    /// The type of the requirement.
    let exact: any Any.Type
    /// The type of the requirement, as written in source.
    let spelling: String

    private init(_ name: String, _ type: any Any.Type, _ exact: any Any.Type, _ spelling: String) {
        (self.name, self.type, self.exact, self.spelling) = (name, type, exact, spelling)
    }

    /// The requirements with a default, but for ``Request/responseDecoding``, whose default depends on the response type.
    @inline(never)
    static func all<R: Request>(of _: R.Type) -> [RequestMember] {
        typealias Pairs = [(String, String)]
        typealias Converter = (any ResponseJSONConverter)?
        typealias List = [any Interceptor]
        let converter = "(any ResponseJSONConverter)?"
        return [
            .init("method", R._Method.self, HTTPMethod.self, "HTTPMethod"),
            .init("queryParams", R._QueryParams.self, Pairs.self, "[(String, String)]"),
            .init("queryItems", R._QueryItems.self, [QueryItem].self, "[QueryItem]"),
            .init("body", R._Body.self, RequestBody?.self, "RequestBody?"),
            .init("headers", R._Headers.self, HTTPHeaders.self, "HTTPHeaders"),
            .init("timeout", R._Timeout.self, TimeInterval?.self, "TimeInterval?"),
            .init("authToken", R._AuthToken.self, AuthToken?.self, "AuthToken?"),
            .init("isAuthenticated", R._IsAuthenticated.self, Bool.self, "Bool"),
            .init("responseConverter", R._ResponseConverter.self, Converter.self, converter),
            .init("errorConverter", R._ErrorConverter.self, Converter.self, converter),
            .init("endpoint", R._Endpoint.self, Endpoint?.self, "Endpoint?"),
            .init("decoder", R._Decoder.self, JSONDecoder?.self, "JSONDecoder?"),
            .init("interceptors", R._Interceptors.self, List.self, "[any Interceptor]"),
            .init("isCoalesced", R._IsCoalesced.self, Bool.self, "Bool"),
            .init("retryPolicy", R._RetryPolicy.self, RetryPolicy?.self, "RetryPolicy?"),
            .init("cachePolicy", R._CachePolicy.self, CachePolicy.self, "CachePolicy"),
            .init("priority", R._Priority.self, RequestPriority.self, "RequestPriority"),
            .init("context", R._Context.self, RequestContext.self, "RequestContext"),
            .init("redaction", R._Redaction.self, Redaction?.self, "Redaction?"),
        ]
    }

    /// Whether NetKit uses the property although its type isn't the requirement's, or it means something else.
    ///
    /// A text is a method's token, and a `Duration` a timeout. A converter needn't be Optional, and its type can be another
    /// protocol's. Nothing is lost with a converter that is nil.
    func isHonored(in request: some Request) -> Bool {
        switch name {
        case "method": type == String.self
        case "timeout": type == Duration.self || type == Duration?.self
        case "responseConverter": isConverter || Self.isUsed(request.anyResponseConverter)
        case "errorConverter": isConverter || Self.isUsed(request.anyErrorConverter)
        default: isUnrelated(type)
        }
    }

    /// Whether a property of the name and a type means something else.
    ///
    /// A ticket has a priority and a status a context of its own, which its body uses.
    func isUnrelated(_ type: any Any.Type) -> Bool {
        ["priority", "context", "redaction"].contains(name)
            && Unwrapped.type(type) != Unwrapped.type(exact)
    }

    /// Whether the stored property of the name is an implicitly unwrapped Optional, which is no witness in Swift.
    ///
    /// One with the type of an Optional requirement is known by its value alone.
    func isIgnored(_ value: Any, in request: some Request) -> Bool {
        guard let optional = value as? any OptionalValue else { return false }
        let stored = ObjectIdentifier(Swift.type(of: value))
        if ObjectIdentifier(Swift.type(of: optional).wrappedType) == ObjectIdentifier(exact) {
            return true
        }
        guard stored == ObjectIdentifier(exact), optional.wrapped != nil else { return false }
        return switch name {
        case "authToken": request.authToken == nil
        case "body": request.body == nil
        case "decoder": request.decoder == nil
        case "endpoint": request.endpoint == nil
        case "redaction": request.redaction == nil
        case "retryPolicy": request.retryPolicy == nil
        case "timeout": request.timeout == nil
        default: false
        }
    }

    /// The spelling of the type as an implicitly unwrapped Optional.
    var unwrapped: String { spelling.hasSuffix("?") ? "\(spelling.dropLast())!" : "\(spelling)!" }

    /// Whether ``isHonored(in:)`` depends on the value, which requests of one type don't share.
    var dependsOnValue: Bool {
        (name == "responseConverter" || name == "errorConverter") && !isExact && !isConverter
    }

    /// Whether the call uses the value of a converter: one that converts, or nil.
    private static func isUsed(_ converter: Any) -> Bool {
        converter is any ResponseJSONConverter || Unwrapped.value(converter) == nil
    }

    private var isConverter: Bool {
        type == (any ResponseJSONConverter).self
            || Unwrapped.type(type) is any ResponseJSONConverter.Type
    }

    var isExact: Bool { ObjectIdentifier(type) == ObjectIdentifier(exact) }
}

extension _RequestMembers {
    var methodText: String? { method as? String }

    var anyTimeout: Duration? { timeout as? Duration }

    fileprivate var anyResponseConverter: Any { responseConverter }

    fileprivate var anyErrorConverter: Any { errorConverter }
}

extension Request {
    /// The ``responseConverter``, also where it isn't declared as an Optional.
    package var ownResponseConverter: (any ResponseJSONConverter)? {
        if Self._ResponseConverter.self == (any ResponseJSONConverter)?.self {
            return responseConverter
        }
        return anyResponseConverter as? any ResponseJSONConverter
    }

    /// The ``errorConverter``, also where it isn't declared as an Optional.
    package var ownErrorConverter: (any ResponseJSONConverter)? {
        if Self._ErrorConverter.self == (any ResponseJSONConverter)?.self { return errorConverter }
        return anyErrorConverter as? any ResponseJSONConverter
    }
}
