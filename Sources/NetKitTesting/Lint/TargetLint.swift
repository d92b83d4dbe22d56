import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Where the request goes, and how often.
extension LintedRequest {
    /// Whether the path is a whole URL.
    var isAbsolute: Bool {
        let path = request.path.lowercased()
        return path.hasPrefix("http://") || path.hasPrefix("https://")
    }

    /// Credentials that others on the way can read.
    var credentialFindings: [RequestFinding] {
        guard let origin, origin.scheme == "http", !origin.isLoopback else { return [] }
        let names = credentialNames + secretQueryNames
        guard !names.isEmpty else { return [] }
        return [
            RequestFinding(
                kind: .credentialWithoutEncryption,
                subject: origin.host,
                reason: "\(names.joined(separator: ", ")) would go to \(origin.host) over http, "
                    + "where everybody on the way reads it"
            )
        ]
    }

    /// A repetition that may do something twice.
    var retryFindings: [RequestFinding] {
        let method = request.method
        guard let policy = request.retryPolicy ?? endpoint?.retryPolicy,
            policy.maximumRetries > 0,
            policy.methods.contains(method), !method.isIdempotent,
            !sentNames.contains(.idempotencyKey)
        else { return [] }
        return [
            RequestFinding(
                kind: .unsafeRetry,
                subject: method.rawValue,
                reason: "the retry policy repeats a \(method), which may then be done "
                    + "twice; an Idempotency-Key prevents it"
            )
        ]
    }

    /// The origin of the path if it is a whole URL, else of the base URL, if there is one.
    private var origin: Origin? {
        guard isAbsolute else { return endpoint.flatMap { Origin($0.baseURL) } }
        return URL(string: filledPath.path).flatMap { Origin($0) }
    }

    /// The header fields that carry a credential, as they would be sent.
    private var credentialNames: [String] {
        let takesCredentials = !isAbsolute && request.isAuthenticated
        let own = ownFields.map(\.headers) + (takesCredentials ? [endpoint?.headers ?? [:]] : [])
        // Where it cannot be encoded, that is a finding of its own.
        let sent = (try? encoded())?.allHTTPHeaderFields?.keys.map { HTTPHeaderName($0) } ?? []
        let marked = own.flatMap { headers in
            headers.map(\.name).filter { headers.isSensitive($0) }
        }
        let names = Set(sent + own.flatMap { $0.map(\.name) })
            .filter { $0.soundsSecret || marked.contains($0) }
        return names.map(\.rawName).sorted()
    }
}
