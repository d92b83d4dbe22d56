public import Foundation

// The spellings of SwiftNetworking.

/// A request for a value that is decoded, as SwiftNetworking names it.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias DecodableTarget<Value: ResponseObject> = DefaultRequest<Value, ServerMessage>

/// A request for bytes, as SwiftNetworking names it.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias DataTarget = DefaultRequest<Data, ServerMessage>

/// A request for nothing but success, as SwiftNetworking names it.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias PlainTarget = DefaultRequest<Void, ServerMessage>

extension HTTPMethod {
    /// `GET`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "get")
    public static var GET: HTTPMethod { .get }

    /// `POST`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "post")
    public static var POST: HTTPMethod { .post }

    /// `PUT`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "put")
    public static var PUT: HTTPMethod { .put }

    /// `PATCH`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "patch")
    public static var PATCH: HTTPMethod { .patch }

    /// `DELETE`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "delete")
    public static var DELETE: HTTPMethod { .delete }
}

extension JSONDecoder {
    /// A decoder for keys in snake case and dates by ISO 8601.
    ///
    /// - Returns: A new decoder.
    @available(*, deprecated, renamed: "snakeCaseISO8601")
    public static func custom() -> JSONDecoder { .snakeCaseISO8601 }
}
