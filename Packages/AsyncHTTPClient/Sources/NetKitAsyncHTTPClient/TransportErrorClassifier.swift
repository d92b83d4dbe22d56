internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL
internal import NetKit

/// Classifies the errors of AsyncHTTPClient and the layers below it.
enum TransportErrorClassifier {
    /// Returns the kind of an error.
    ///
    /// - Parameters:
    ///   - error: The error that was reported.
    ///   - hadHead: Whether the response had begun.
    ///   - isTunneling: Whether no request was sent yet on a connection through an HTTP proxy. Defaults to `false`.
    /// - Returns: The kind, or `.other` for an unknown error.
    static func kind(
        of error: any Error,
        hadHead: Bool,
        isTunneling: Bool = false
    ) -> TransportError.Kind {
        if isTunneling, error as? HTTPClientError == .remoteConnectionClosed {
            return .cannotConnect
        }
        let lost: TransportError.Kind = hadHead ? .truncatedResponse : .connectionLost
        return switch error {
        case let error as HTTPClientError: kind(of: error, lost: lost)
        case let error as NIOConnectionError: kind(of: error)
        case let error as IOError: kind(of: error, lost: lost)
        case let error as ChannelError: error.isConnectTimeout ? .cannotConnect : lost
        case let error as HTTPParserError: kind(of: error, lost: lost)
        case is SocketAddressError: .cannotFindHost
        case let error as NIOSSLError: error == .uncleanShutdown ? lost : .secureConnection
        case is NIOSSLExtraError, is BoringSSLError, is PublicKeyMismatch,
            is ServerIdentityMismatch:
            .secureConnection
        case is MalformedResponse: .malformedResponse
        case is UnprocessedRequest, is EarlyAnswer: lost
        case let error as BrokenCompression: kind(of: error, lost: lost)
        case is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.NoSuchStream,
            is NIOHTTP2Errors.IOOnClosedConnection:
            lost
        // What a server says behind a response, which the next request meets.
        case is NIOHTTPDecoderError: lost
        case is any NIOHTTP2Error: .malformedResponse
        case let error where isRefusalBySOCKS(error): .cannotConnect
        default: .other
        }
    }

    /// A failure with the engine's reason.
    ///
    /// - Parameters:
    ///   - kind: The kind of `error`.
    ///   - error: What was reported.
    ///   - route: The way to the host.
    /// - Returns: The failure.
    static func error(
        _ kind: TransportError.Kind,
        _ error: any Error,
        by route: ProxyRoute
    ) -> TransportError {
        var reason = reason(of: error, kind)
        if let error = error as? NIOConnectionError {
            if kind == .cannotConnect {
                let place =
                    route == .direct
                    ? "\(error.host) port \(error.port)"
                    : "the proxy \(error.host):\(error.port)"
                reason = "could not connect to \(place)" + (reason.map { ": \($0)" } ?? "")
            } else if kind == .cannotFindHost {
                reason = route == .direct ? error.host : "the proxy \(error.host)"
            }
        }
        return TransportError(kind, underlying: error, reason: reason)
    }

    /// The reason in the words of the operating system or of TLS; nil where the words may quote what the server sent.
    private static func reason(of error: any Error, _ kind: TransportError.Kind) -> String? {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        case let error as NIOConnectionError:
            error.connectionErrors.last.flatMap { reason(of: $0.error, kind) }
        // Of a kept tunnel, rarely its server.
        case let error as HTTPClientError
        where error == .remoteConnectionClosed && kind == .cannotConnect:
            "the proxy closed the connection"
        case let error as HTTPClientError: reason(of: error)
        case NIOSSLError.failedToLoadPrivateKey:
            "the client certificate and its private key do not match"
        case is NIOSSLError, is BoringSSLError: tlsReason(in: String(describing: error))
        // Its own words have the names of the certificate.
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            ServerIdentityMismatch().description
        case let error as MalformedResponse: error.description
        case let error where isRefusalBySOCKS(error): refusal
        default: nil
        }
    }

    private static let refusal = "the proxy refused the connection"

    /// Whether a SOCKS proxy refused the connection, closed it, or doesn't speak SOCKS5.
    ///
    /// AsyncHTTPClient's own error for a closed connection is private. NIOSOCKS is no dependency of this package.
    private static func isRefusalBySOCKS(_ error: any Error) -> Bool {
        let name = String(reflecting: type(of: error))
        return name.hasPrefix("NIOSOCKS.")
            || name.hasPrefix("AsyncHTTPClient.SOCKSEventsHandler.")
    }

    private static func reason(of error: HTTPClientError) -> String? {
        switch error {
        case .connectTimeout: "no connection in time"
        case .tlsHandshakeTimeout: "no answer in time"
        case .remoteConnectionClosed: "the server closed the connection"
        case .httpProxyHandshakeTimeout, .socksHandshakeTimeout: "the proxy did not answer in time"
        case .invalidProxyResponse: refusal
        case .proxyAuthenticationRequired: "the proxy demands authentication"
        default: nil
        }
    }

    /// The last reason of BoringSSL: `certificate verify failed` in `…:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …`.
    private static func tlsReason(in text: String) -> String? {
        guard let mark = text.range(of: "OPENSSL_internal:", options: .backwards) else {
            return nil
        }
        let reason = text[mark.upperBound...].prefix { $0.isLetter || $0 == "_" || $0.isNumber }
        return reason.replacing("_", with: " ").lowercased()
    }

    private static func kind(
        of error: HTTPClientError,
        lost: TransportError.Kind
    ) -> TransportError.Kind {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
            .socksHandshakeTimeout, .invalidProxyResponse, .proxyAuthenticationRequired:
            .cannotConnect
        case .tlsHandshakeTimeout: .secureConnection
        // A cancellation that NetKit didn't request means that the connection is closing.
        case .remoteConnectionClosed, .uncleanShutdown, .cancelled, .requestStreamCancelled: lost
        case .invalidURL, .emptyHost, .emptyScheme: .unsupported
        default:
            // The error carries the URL or protocol, so it can't be compared. Its short description identifies the
            // case.
            switch error.shortDescription {
            case HTTPClientError.unsupportedScheme("").shortDescription: .unsupported
            case HTTPClientError.serverOfferedUnsupportedApplicationProtocol("").shortDescription:
                .secureConnection
            default: .other
            }
        }
    }

    private static func kind(of error: NIOConnectionError) -> TransportError.Kind {
        // Without any attempt, the name resolved to no IP address.
        guard !error.connectionErrors.isEmpty else { return .cannotFindHost }
        // The settings are checked with the first connection, such as whether a client certificate has the right key.
        guard !error.connectionErrors.contains(where: { isOfTLS($0.error) }) else {
            return .secureConnection
        }
        let kinds = error.connectionErrors.map { attempt in
            (attempt.error as? IOError).map { kind(of: $0, lost: .cannotConnect) }
        }
        return kinds.allSatisfy { $0 == .notConnected } ? .notConnected : .cannotConnect
    }

    private static func isOfTLS(_ error: any Error) -> Bool {
        error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError
    }

    private static func kind(
        of error: IOError,
        lost: TransportError.Kind
    ) -> TransportError.Kind {
        switch error.errnoCode {
        case ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL: .cannotConnect
        case ENETDOWN, ENETUNREACH: .notConnected
        case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ETIMEDOUT, EBADF: lost
        default: .other
        }
    }

    private static func kind(
        of error: BrokenCompression,
        lost: TransportError.Kind
    ) -> TransportError.Kind {
        switch error {
        case .truncated: lost
        case .invalid, .trailingData: .malformedResponse
        case .noMemory: .other
        }
    }

    private static func kind(
        of error: HTTPParserError,
        lost: TransportError.Kind
    ) -> TransportError.Kind {
        switch error {
        case .invalidEOFState, .closedConnection: lost
        default: .malformedResponse
        }
    }
}

extension ChannelError {
    fileprivate var isConnectTimeout: Bool {
        if case .connectTimeout = self { true } else { false }
    }
}
