/// A collection of typed values that a request passes to interceptors and observers.
///
/// The values aren't sent.
///
/// ```swift
/// enum Feature: RequestContextKey { typealias Value = String }
///
/// struct SearchRequest: Request {
///     typealias ResponseObjectType = [String]
///     let path = "search"
///     var context: RequestContext {
///         var context = RequestContext()
///         context[Feature.self] = "search"
///         return context
///     }
/// }
/// ```
public struct RequestContext: Sendable {
    /// The context of the current call, inside an interceptor.
    ///
    /// Empty everywhere else.
    public static var current: RequestContext { ofTask }

    @TaskLocal static var ofTask = RequestContext()

    /// The number of the current attempt, starting at 1.
    public internal(set) var attempt = 1
    /// The request's path with its placeholders, such as `users/{id}`.
    ///
    /// Nil for a path without placeholders, and for a request to another URL, such as after a redirect.
    public internal(set) var pathTemplate: String?
    /// The origin of the endpoint's base URL, or nil without an endpoint.
    var home: Origin?
    /// The endpoint's clock.
    var clock = DeadlineClock.shared
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates an empty context.
    public init() {}

    /// The value for a key, or nil if there is none.
    ///
    /// - Parameter key: The type of the key.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// A key for a value in ``RequestContext``, usually an empty enum.
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Sendable
}
