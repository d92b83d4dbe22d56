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

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - underlying: What the transport itself reported. Defaults to nil.
    public init(_ kind: Kind, underlying: (any Error)? = nil) {
        self.kind = kind
        self.underlying = underlying
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
    /// One lower-case line without addresses, headers or bodies.
    public var description: String {
        if let refusal = underlying as? UnsupportedFeature {
            return "not supported by this transport: \(refusal)"
        }
        return (underlying as? any DescribedCause)?.description ?? kind.words
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
    /// What went wrong, as the end of a sentence.
    package var words: String {
        switch self {
        case .cannotFindHost: "the host cannot be found"
        case .cannotConnect: "the host cannot be reached"
        case .connectionLost: "the connection was lost"
        case .notConnected: "there is no network connection"
        case .secureConnection: "no secure connection could be made"
        case .malformedResponse: "the response is not valid HTTP"
        case .truncatedResponse: "the response ended before it was whole"
        case .responseTooLarge: "the response is larger than allowed"
        case .tooManyRedirects: "there were more redirects than allowed"
        case .unsafeRedirect: "the redirect leads to an unsafe address"
        case .unsupported: "this transport does not support what was asked"
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
