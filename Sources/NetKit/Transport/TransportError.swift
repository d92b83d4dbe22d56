package import NetKitSupport

/// A reason why no complete response arrived, or why a redirect wasn't followed.
///
/// A status code alone is never a transport error. Neither is a timeout or a cancellation. See ``ErrorResponse``.
public struct TransportError: Error, Sendable {
    /// The kinds of transport errors.
    public enum Kind: Hashable, Sendable {
        /// The hostname can't be resolved.
        case cannotFindHost
        /// The host refused the connection or is unreachable.
        case cannotConnect
        /// The connection was closed or reset before the response was complete.
        case connectionLost
        /// There is no network connection.
        ///
        /// Over URLSession on Linux, no error is of this kind: a machine without a network reports
        /// ``cannotFindHost`` or ``cannotConnect``.
        case notConnected
        /// TLS failed: an untrusted, expired, or mismatched certificate, or no common protocol.
        case secureConnection
        /// The response isn't valid HTTP as RFC 9112 defines it.
        case malformedResponse
        /// The body ended before its announced length or before its last chunk.
        case truncatedResponse
        /// The body is larger after decompression than ``Endpoint/maximumResponseSize``.
        case responseTooLarge
        /// There were more redirects than ``RedirectPolicy`` allows.
        case tooManyRedirects
        /// The redirect is unsafe or invalid.
        ///
        /// It downgrades from https to http, leaves HTTP altogether, or has an invalid URL in `Location`, such as one
        /// with port 99999.
        case unsafeRedirect
        /// The transport doesn't support the request, such as an IPv6 literal over URLSession on Linux.
        case unsupported
        /// Any other error.
        ///
        /// See ``TransportError/underlying``.
        case other
    }

    /// The kind of error.
    public let kind: Kind
    /// The error that the transport itself reported, if any.
    public let underlying: (any Error)?
    /// The transport's own reason, such as `certificate has expired`.
    ///
    /// One short line without secrets; nil if the transport gives none.
    public let reason: String?
    package var place = FailurePlace()
    /// Whether it comes of a test's own code, which would fail again.
    package var isOfTest = false

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

    /// The error of a body that is larger than a limit in bytes.
    package init(responseLargerThan limit: Int) {
        self.init(
            .responseTooLarge,
            reason: "larger than \(limit) bytes (Endpoint.maximumResponseSize)"
        )
    }
}

extension TransportError.Kind {
    /// Whether the same request could succeed later, because the connection failed.
    package var isTransient: Bool {
        switch self {
        case .cannotFindHost, .cannotConnect, .connectionLost, .notConnected, .truncatedResponse:
            true
        case .secureConnection, .malformedResponse, .responseTooLarge, .tooManyRedirects,
            .unsafeRedirect, .unsupported, .other:
            false
        }
    }
}

extension TransportError {
    /// Whether each further request would fail in the same way, whatever becomes of the network.
    var isLasting: Bool {
        switch kind {
        case .responseTooLarge, .tooManyRedirects, .unsafeRedirect, .unsupported: true
        case .other: isOfTest || underlying is any LastingCause
        case .cannotFindHost, .cannotConnect, .connectionLost, .notConnected, .secureConnection,
            .malformedResponse, .truncatedResponse:
            false
        }
    }
}

extension TransportError: Placed, Concealed {
    /// One line with method, redacted URL and ``message``; no header fields and no body.
    package var shown: String { place.line(words) }

    /// One line that says what failed and why, without the URL.
    public var message: String { place.message(words) }

    private var words: String {
        if kind == .unsafeRedirect, let reason { return "unsafe redirect \(reason)" }
        switch underlying {
        case let refusal as UnsupportedFeature: return "not supported by this transport: \(refusal)"
        case let cause as any DescribedCause: return cause.description
        default: break
        }
        guard let reason else {
            guard kind == .other, let underlying else { return kind.words }
            let cause = (underlying as? any Concealed)?.shown ?? ErrorName.words(of: underlying)
            return "\(kind.words): \(BoundedLine.text(cause, maximum: 1000))"
        }
        return switch kind {
        case .cannotConnect: reason
        case .responseTooLarge: "response \(reason)"
        default: "\(kind.words): \(reason)"
        }
    }
}

/// An underlying error with a more precise description for its ``TransportError``.
///
/// Its `description` is one lowercase line without secrets.
public protocol DescribedCause: Error, CustomStringConvertible {}

/// The cause of a failure that each further request would have too.
@_spi(Transports) public protocol LastingCause: DescribedCause {}

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

/// An error for a feature that the transport doesn't support.
package struct UnsupportedFeature: Error, Equatable, Sendable, CustomStringConvertible {
    /// The unsupported feature and the usual remedy, as one lowercase line.
    package let description: String

    /// Creates the error for an unsupported feature.
    ///
    /// - Parameter description: The unsupported feature and the usual remedy.
    package init(_ description: String) { self.description = description }
}
