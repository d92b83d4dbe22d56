public import Foundation
public import NetKit

// SwiftConnect's requests, which have a base URL of their own.

/// SwiftConnect's name for `Request`, as the type of any request.
///
/// A type that conforms to SwiftConnect's `Request` or `Requestable` conforms to ``ConnectRequest``.
@available(*, deprecated, renamed: "Request")
public typealias Requestable = Request

/// SwiftConnect's protocol for a request: a base URL, an endpoint and a method.
///
/// The request is sent to its own base URL. The endpoint of a ``Connect``, or the default endpoint, adds its credentials
/// and query only if it has the same origin.
@available(
    *,
    deprecated,
    message: "conform to Request: its endpoint has the base URL, its path is the endpoint"
)
public protocol ConnectRequest: Request
where ResponseObjectType == HTTPResponse, _Endpoint == Endpoint? {
    /// The http or https URL that the endpoint is appended to. With any other, the request is refused.
    var baseURL: URL { get }
    /// The path below the base URL, or an empty text for the base URL itself.
    var endpoint: String { get }
}

@available(*, deprecated)
extension ConnectRequest {
    /// The ``baseURL`` and the ``endpoint``, joined by one slash.
    public var path: String {
        let endpoint: String = endpoint
        var base = baseURL.absoluteString
        guard ["http", "https"].contains(baseURL.scheme?.lowercased()),
            baseURL.host?.isEmpty == false
        else {
            // A URL without a host, so that the request isn't sent, and not to another endpoint's base URL either.
            return "http:///\(base)"
        }
        guard !endpoint.isEmpty else { return base }
        var query = ""
        if let mark = base.firstIndex(of: "?") {
            query = (endpoint.contains("?") ? "&" : "?") + base[base.index(after: mark)...]
            base = String(base[..<mark])
        }
        while base.hasSuffix("/") { base.removeLast() }
        return base + "/" + endpoint.drop { $0 == "/" } + query
    }
}

/// SwiftConnect's protocol for a request with files.
///
/// The members of an `@Object` become text parts before the files. The method is POST by default.
@available(
    *,
    deprecated,
    message: "conform to MultipartFormDataRequest, with a path and [any MultipartFile]"
)
public protocol MultipartRequest: ConnectRequest, MultipartFormDataRequest {
    /// The files, in sending order.
    var files: [File] { get }
}

@available(*, deprecated)
extension MultipartRequest {
    /// The ``files``, as NetKit sends them.
    public var files: [any MultipartFile] {
        let files: [File] = files
        return files.map { file in
            DefaultMultipartFile(
                resource: file.data,
                mime: file.mimeType,
                name: file.key,
                fileName: file.name
            )
        }
    }
}

/// SwiftConnect's file: bytes with a file name and the key of a form field.
@available(
    *,
    deprecated,
    message: "use DefaultMultipartFile(resource:mime:name:fileName:): key is name, name is fileName"
)
public struct File: Sendable {
    /// The file name sent to the server.
    public let name: String
    /// The name of the form field.
    public let key: String
    /// The media type of ``data``.
    public let mimeType: MimeType
    /// The contents.
    public let data: Data

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - name: The file name sent to the server.
    ///   - key: The name of the form field.
    ///   - mimeType: The media type of `data`.
    ///   - data: The contents of the file.
    public init(name: String, key: String, mimeType: MimeType, data: Data) {
        (self.name, self.key, self.mimeType, self.data) = (name, key, mimeType, data)
    }
}

/// SwiftConnect's name for `AuthToken`.
@available(*, deprecated, renamed: "AuthToken")
public typealias AuthorizationToken = AuthToken

/// SwiftConnect's protocol for requests with a credential.
@available(*, deprecated, message: "every Request has an authToken")
public protocol AuthorizedRequest: Request {
    /// The credential, or nil for none.
    @available(*, deprecated, renamed: "authToken")
    var authorizationToken: AuthToken? { get }
}

@available(*, deprecated)
extension AuthorizedRequest {
    /// The ``authorizationToken``.
    public var authToken: AuthToken? { authorizationToken }
    /// Whether there is an ``authorizationToken``: without one, the request is sent without any credential.
    public var isAuthenticated: Bool { authorizationToken != nil }
}
