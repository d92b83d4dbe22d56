/// Typed values that a request hands to interceptors and observers, and that are not sent.
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
    /// The context of the call that the current task works for, within an interceptor; else empty.
    public static var current: RequestContext { ofTask }

    @TaskLocal static var ofTask = RequestContext()

    /// Which attempt of its call the request is, counted from 1.
    public internal(set) var attempt = 1
    /// The time of the endpoint.
    var clock = DeadlineClock.shared
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Makes a context without values.
    public init() {}

    /// The value of a key, nil if there is none.
    ///
    /// - Parameter key: The key's type.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Names a value of ``RequestContext``; an empty type is enough.
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Sendable
}
