import Foundation
import NetKit

/// The entries of a log and which of them have been used.
struct ReplayLog {
    private(set) var entries: [HAR.Entry]
    private let requests: [ReplayedRequest]
    private var uses: [Int]

    init(_ har: HAR, redacting redaction: Redaction) {
        entries = har.entries
        requests = har.entries.map { ReplayedRequest($0.request, redacting: redaction) }
        uses = Array(repeating: 0, count: entries.count)
    }

    /// The entries that no request was answered from.
    var unused: [HAR.Entry] { entries.indices.filter { uses[$0] == 0 }.map { entries[$0] } }

    /// The next entry, if it is this request's in every respect.
    mutating func takeNext(_ request: ReplayedRequest) -> Result<HAR.Entry, ReplayFailure> {
        guard let next = uses.firstIndex(of: 0) else { return failure(request, .noneLeft) }
        let recorded = requests[next]
        guard recorded.method == request.method, recorded.url == request.url else {
            return failure(request, .otherIsNext(recorded.description))
        }
        guard recorded.hasBody(of: request) else { return failure(request, .otherBody) }
        return .success(take(next))
    }

    /// The first unused entry that is this request's in every respect.
    mutating func takeSame(_ request: ReplayedRequest) -> HAR.Entry? {
        entries.indices.first { uses[$0] == 0 && requests[$0].equals(request) }.map { take($0) }
    }

    /// An entry of the same method, path and query: an unused one first, then the last one again; those with the
    /// same body, if there are any.
    mutating func takeSimilar(_ request: ReplayedRequest) -> Result<HAR.Entry, ReplayFailure> {
        let similar = entries.indices.filter { requests[$0].resembles(request) }
        let same = similar.filter { requests[$0].hasBody(of: request) }
        let candidates = same.isEmpty ? similar : same
        guard let found = candidates.first(where: { uses[$0] == 0 }) ?? candidates.last else {
            return failure(request, .notRecorded(nearest: nearest(to: request)))
        }
        return .success(take(found))
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

    private func nearest(to request: ReplayedRequest) -> [String] {
        let sought = "\(StubAddress(request.url).path) \(request.method)"
        let known = Set(requests)
        return
            known.map { recorded in
                let path = "\(StubAddress(recorded.url).path) \(recorded.method)"
                return (recorded.description, EditDistance.between(sought, path))
            }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            .prefix(3)
            .map(\.0)
    }
}
