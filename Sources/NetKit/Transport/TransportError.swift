/// Why no whole response arrived.
///
/// A response with any status is not a transport error; see ``ErrorResponse``.
public struct TransportError: Error, Sendable {
    /// What went wrong, coarse enough to decide on.
    public enum Kind: Hashable, Sendable {
        /// The host's name could not be resolved.
        case cannotFindHost
        /// The host refused the connection or could not be reached.
        case cannotConnect
        /// The connection was closed or reset before the response was whole, or before it began.
        case connectionLost
        /// There is no network.
        case notConnected
        /// TLS failed: an untrusted, expired or mismatched certificate, or no common protocol.
        case secureConnection
        /// What arrived is not HTTP as RFC 9112 defines it.
        case malformedResponse
        /// The body ended before its announced length, or before its last chunk.
        case truncatedResponse
        /// The body, after decompression, is larger than ``Endpoint/maximumResponseSize``.
        case responseTooLarge
        /// More redirects than ``RedirectPolicy`` follows.
        case tooManyRedirects
        /// A redirect that would leave https for http, or leave http altogether, or whose `Location` is no URL
        /// that a request can be sent to, such as one with port 99999.
        case unsafeRedirect
        /// Something the transport cannot do, such as an IPv6 literal over URLSession on Linux.
        case unsupported
        /// Anything else; see ``TransportError/underlying``.
        case other
    }

    /// What went wrong.
    public let kind: Kind
    /// What the transport itself reported, if anything.
    public let underlying: (any Error)?
    /// The transport's own reason, such as `certificate has expired`.
    ///
    /// One short line without secrets; nil if the transport gives none.
    public let reason: String?
    /// Method and redacted URL; nil before the request is known.
    private(set) var request: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: The kind of failure.
    ///   - underlying: The transport's own error. Defaults to nil.
    ///   - reason: The transport's own reason, without secrets; control characters are removed, and it is cut at 200
    ///     characters. Defaults to nil.
    public init(_ kind: Kind, underlying: (any Error)? = nil, reason: String? = nil) {
        self.kind = kind
        self.underlying = underlying
        self.reason = reason.map { BoundedLine.text($0) }
    }

    /// The same error of a request, unless one is known already.
    func of(_ request: @autoclosure () -> String) -> TransportError {
        guard self.request == nil else { return self }
        var error = self
        error.request = request()
        return error
    }
}

extension TransportError.Kind {
    /// Whether the same request may succeed later: the connection failed, and not what went over it.
    var isTransient: Bool {
        switch self {
        case .cannotFindHost, .cannotConnect, .connectionLost, .notConnected, .truncatedResponse:
            true
        case .secureConnection, .malformedResponse, .responseTooLarge, .tooManyRedirects,
            .unsafeRedirect, .unsupported, .other:
            false
        }
    }
}

extension TransportError: CustomStringConvertible, CustomReflectable {
    /// One line with method, redacted URL and ``message``; no header fields and no body.
    public var description: String { request.map { "\($0): \(message)" } ?? message }

    /// One line that says what failed and why, without the URL.
    public var message: String {
        switch underlying {
        case let refusal as UnsupportedFeature: return "not supported by this transport: \(refusal)"
        case let cause as any DescribedCause: return cause.description
        default: break
        }
        guard let reason else { return kind.words }
        return kind == .cannotConnect ? reason : "\(kind.words): \(reason)"
    }

    /// Shows ``description`` and the type of what lies beneath: an `NSError` would show the whole URL.
    public var customMirror: Mirror {
        let type = underlying.map { String(describing: Swift.type(of: $0)) }
        return Mirror(
            self,
            children: ["description": description, "underlying": type ?? "nil"],
            displayStyle: .struct
        )
    }
}

/// What lies beneath a ``TransportError`` and says it better: one lower-case line without secrets.
public protocol DescribedCause: Error, CustomStringConvertible {}

extension InvalidRequest: DescribedCause {}
extension BodyTooShort: DescribedCause {}

extension TransportError.Kind {
    /// What failed.
    package var words: String {
        switch self {
        case .cannotFindHost: "host not found"
        case .cannotConnect: "could not connect to the server"
        case .connectionLost: "connection lost"
        case .notConnected: "no network connection"
        case .secureConnection: "TLS handshake failed"
        case .malformedResponse: "malformed HTTP response"
        case .truncatedResponse: "incomplete response"
        case .responseTooLarge: "response too large (see Endpoint.maximumResponseSize)"
        case .tooManyRedirects: "too many redirects (see RedirectPolicy)"
        case .unsafeRedirect: "unsafe redirect: it leaves https, or its Location is not an http URL"
        case .unsupported: "not supported by this transport"
        case .other: "the transport failed"
        }
    }
}

/// What a transport was asked and cannot do.
struct UnsupportedFeature: Error, Equatable, Sendable, CustomStringConvertible {
    /// The thing that is not supported and the way out, as one lower-case line.
    let description: String

    /// Names a thing that is not supported.
    ///
    /// - Parameter description: What is not supported, and the way out.
    init(_ description: String) {
        self.description = description
    }
}
