import Foundation
import NetKit
import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Mistakes in a request's destination and its retries.
extension LintedRequest {
    /// The request's path and the query in it.
    var writtenPath: WrittenPath { WrittenPath(request.path) }

    /// Whether the request goes to the endpoint's origin, which gets its credentials and query.
    var isOnBaseOrigin: Bool {
        guard let origin, let endpoint else { return false }
        return origin == Origin(endpoint.baseURL)
    }

    /// Findings for credentials sent without encryption.
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

    /// Findings for retries that can repeat a side effect.
    var retryFindings: [RequestFinding] {
        let method = request.ownMethod
        guard let policy = request.retryPolicy ?? endpoint?.retryPolicy,
            policy.maximumRetries > 0,
            policy.repeats(method), !method.isIdempotent,
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

    /// The origin of an absolute path, else of the base URL, if there is one.
    private var origin: Origin? {
        guard writtenPath.isAbsolute else { return endpoint.flatMap { Origin($0.baseURL) } }
        return WrittenPath(filledPath.path).address.flatMap { Origin($0) }
    }

    /// The names of the header fields that would send a credential.
    private var credentialNames: [String] {
        let takesCredentials = isOnBaseOrigin && request.sendsCredentials
        let own = ownFields.map(\.headers) + (takesCredentials ? [endpoint?.headers ?? [:]] : [])
        // A request that can't be encoded has a finding already.
        let sent = (try? encoded())?.allHTTPHeaderFields?.keys.map { HTTPHeaderName($0) } ?? []
        let marked = own.flatMap { headers in
            headers.map(\.name).filter { headers.isSensitive($0) }
        }
        var names = Set(sent + own.flatMap { $0.map(\.name) })
            .filter { $0.soundsSecret || marked.contains($0) }
        // NetKit adds it when it sends the request.
        if takesCredentials, endpoint?.authentication != nil { names.insert(.authorization) }
        return names.map(\.rawName).sorted()
    }
}
