import Foundation
import NetKitSupport

/// Classifies the errors of URLSession.
///
/// On Linux, half of libcurl's failures have code -1, and only the text distinguishes them.
enum TransportErrorClassifier {
    /// Returns the kind of an error.
    ///
    /// - Parameters:
    ///   - error: The error that URLSession reported.
    ///   - hadHead: Whether the response had begun.
    /// - Returns: The kind, or `.other` if neither the code nor the text reveals more.
    static func kind(of error: any Error, hadHead: Bool) -> TransportError.Kind {
        let error = error as NSError
        guard error.domain == NSURLErrorDomain else { return .other }
        let text = text(of: error).lowercased()
        // A response that isn't HTTP/1 has the code of an unsupported URL.
        if text.contains("http/0.9") { return .malformedResponse }
        if let kind = byCode(error.code, hadHead: hadHead) { return kind }
        let words = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
        return CurlWords.refusal(ofProxy: words) == nil
            ? byText(text, hadHead: hadHead) : .cannotConnect
    }

    /// The reason that libcurl gives, on Linux; nil where its words may quote what the server sent.
    ///
    /// - Parameters:
    ///   - error: The error of URLSession.
    ///   - kind: Its kind.
    ///   - url: The URL of the request.
    /// - Returns: The reason without the words that say the kind; nil without one.
    static func reason(of error: any Error, _ kind: TransportError.Kind, for url: URL) -> String? {
        #if canImport(FoundationNetworking)
        let error = error as NSError
        let text = error.userInfo[NSLocalizedDescriptionKey] as? String
        guard error.domain == NSURLErrorDomain, let text, !text.isEmpty else { return nil }
        switch kind {
        case .cannotFindHost, .secureConnection, .connectionLost, .truncatedResponse:
            return CurlWords.rest(
                of: text,
                after: ["resolve host: ", "problem: ", "routines::", "SSL: "],
                orWhole: true
            )
        case .cannotConnect where CurlWords.isOfProxyURL(text): return CurlWords.malformedProxy
        case .cannotConnect:
            if let refusal = CurlWords.refusal(ofProxy: text) { return refusal }
            guard let (host, port) = CurlWords.peer(in: text) else { return nil }
            if let variable = ProxyVariable.name(to: host, port, for: url) {
                return "could not connect to the proxy \(host):\(port) (\(variable))"
            }
            return "could not connect to \(host) port \(port)"
        default: return nil
        }
        #else
        return nil
        #endif
    }

    private static func byCode(_ code: Int, hadHead: Bool) -> TransportError.Kind? {
        switch code {
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: .cannotFindHost
        case NSURLErrorCannotConnectToHost: .cannotConnect
        case NSURLErrorNetworkConnectionLost: hadHead ? .truncatedResponse : .connectionLost
        case NSURLErrorNotConnectedToInternet, NSURLErrorDataNotAllowed,
            NSURLErrorInternationalRoamingOff, NSURLErrorCallIsActive:
            .notConnected
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateHasBadDate,
            NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasUnknownRoot,
            NSURLErrorServerCertificateNotYetValid, NSURLErrorClientCertificateRejected,
            NSURLErrorClientCertificateRequired:
            .secureConnection
        case NSURLErrorBadServerResponse: hadHead ? .malformedResponse : .connectionLost
        case NSURLErrorCannotParseResponse, NSURLErrorCannotDecodeRawData,
            NSURLErrorCannotDecodeContentData:
            .malformedResponse
        case NSURLErrorUnsupportedURL, NSURLErrorBadURL: .unsupported
        default: nil
        }
    }

    private static func byText(_ text: String, hadHead: Bool) -> TransportError.Kind {
        for (excerpts, kind) in texts where excerpts.contains(where: text.contains) {
            return kind == .connectionLost && hadHead ? .truncatedResponse : kind
        }
        return .other
    }

    /// Excerpts of libcurl's messages, in search order: those that name a host, which may contain `ssl`, come first.
    private static let texts: [(excerpts: [String], kind: TransportError.Kind)] = [
        (["unsupported proxy"], .cannotConnect),
        (["could not resolve", "resolving timed out"], .cannotFindHost),
        (["failed to connect", "couldn't connect", "could not connect"], .cannotConnect),
        (["connection timed out after", "connection timeout after"], .cannotConnect),
        (["ssl", "tls", "certificate"], .secureConnection),
        (["bytes remaining to read", "outstanding read data remaining"], .truncatedResponse),
        (["was closed cleanly"], .truncatedResponse),
        (["broken pipe", "connection reset", "connection died"], .connectionLost),
        // The last one is, for example, of a request on a connection that the server is closing with GOAWAY.
        (["recv failure", "send failure", "empty reply", "http2 framing layer"], .connectionLost),
        (["failed writing header", "header", "chunk", "content-encoding"], .malformedResponse),
        (["content encoding", "decoding", "content-length", "weird server"], .malformedResponse),
        (["status line", "unsupported protocol", "nul byte"], .malformedResponse),
    ]

    private static func text(of error: NSError) -> String {
        let texts = [
            error.localizedDescription,
            error.userInfo[NSLocalizedDescriptionKey] as? String ?? "",
            (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription ?? "",
        ]
        return texts.joined(separator: " ")
    }
}
