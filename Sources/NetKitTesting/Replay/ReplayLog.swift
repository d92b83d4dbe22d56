import Foundation
import NetKit
import NetKitHAR

/// The entries of a log, and the number of times each was used.
struct ReplayLog {
    private(set) var entries: [HAR.Entry]
    /// The entries' requests for each redaction, because unredacted logs contain what a request
    /// redacts.
    private var requests: [Redaction: [ReplayedRequest]] = [:]
    private var uses: [Int]

    init(_ har: HAR) {
        entries = har.entries
        uses = Array(repeating: 0, count: entries.count)
    }

    /// The entries that have answered no request.
    var unused: [HAR.Entry] { entries.indices.filter { uses[$0] == 0 }.map { entries[$0] } }

    /// Takes the next entry, if it matches in every respect.
    mutating func takeNext(
        _ request: ReplayedRequest,
        hiding redaction: Redaction
    ) -> Result<HAR.Entry, ReplayFailure> {
        let requests = recorded(hiding: redaction)
        guard let next = uses.firstIndex(of: 0) else { return failure(request, .logExhausted) }
        let recorded = requests[next]
        guard recorded.method == request.method, recorded.url == request.url else {
            return failure(request, .outOfOrder(recorded.description(besides: request)))
        }
        guard recorded.hasBody(of: request) else { return failure(request, .bodyMismatch) }
        return .success(take(next))
    }

    /// Takes the first unused entry that matches in every respect.
    mutating func takeSame(_ request: ReplayedRequest, hiding redaction: Redaction) -> HAR.Entry? {
        let requests = recorded(hiding: redaction)
        return entries.indices.first { uses[$0] == 0 && requests[$0].equals(request) }
            .map { take($0) }
    }

    /// Takes an entry of the same method, path and query: the first unused one, else the last one.
    ///
    /// Entries with the same body take precedence.
    mutating func takeSimilar(
        _ request: ReplayedRequest,
        hiding redaction: Redaction
    ) -> Result<HAR.Entry, ReplayFailure> {
        let requests = recorded(hiding: redaction)
        let similar = entries.indices.filter { requests[$0].resembles(request) }
        let same = similar.filter { requests[$0].hasBody(of: request) }
        let candidates = same.isEmpty ? similar : same
        guard let found = candidates.first(where: { uses[$0] == 0 }) ?? candidates.last else {
            return failure(
                request,
                .notRecorded(nearest: Self.nearest(to: request, among: requests))
            )
        }
        return .success(take(found))
    }

    private mutating func recorded(hiding redaction: Redaction) -> [ReplayedRequest] {
        if let known = requests[redaction] { return known }
        let made = entries.map { ReplayedRequest($0.request, redacting: redaction) }
        requests[redaction] = made
        return made
    }

    private mutating func take(_ index: Int) -> HAR.Entry {
        uses[index] += 1
        return entries[index]
    }

    private func failure(
        _ request: ReplayedRequest,
        _ reason: ReplayFailure.Reason
    ) -> Result<HAR.Entry, ReplayFailure> {
        .failure(ReplayFailure(request: request.description, reason: reason))
    }

    private static func nearest(
        to request: ReplayedRequest,
        among requests: [ReplayedRequest]
    ) -> [String] {
        let sought = "\(StubAddress(request.url).path) \(request.method)"
        let known = Set(requests)
        return
            known.map { recorded in
                let path = "\(StubAddress(recorded.url).path) \(recorded.method)"
                return (
                    recorded.description(besides: request), EditDistance.between(sought, path)
                )
            }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            .prefix(3)
            .map(\.0)
    }
}
