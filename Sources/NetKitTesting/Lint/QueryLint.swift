import Foundation
import NetKit
import NetKitSupport

// Mistakes in a request's query.
extension LintedRequest {
    /// Findings for names from several sources, then for names of secrets.
    var queryFindings: [RequestFinding] {
        let places = queryPlaces
        let names = queryNames
        let conflicts = names.compactMap { name -> RequestFinding? in
            let found = places.filter { $0.names.contains(name) }.map(\.place)
            guard found.count > 1 else { return nil }
            return RequestFinding(
                kind: .conflictingQuery,
                subject: name,
                reason: "\(found.joined(separator: " and ")) give the query "
                    + "\(name.debugDescription), and all are sent"
            )
        }
        return conflicts
            + secretQueryNames.map { name in
                RequestFinding(
                    kind: .secretInQuery,
                    subject: name,
                    reason: "the query has \(name.debugDescription), which sounds secret, "
                        + "and URLs are kept in logs"
                )
            }
    }

    /// The query names that suggest a secret.
    var secretQueryNames: [String] {
        queryNames.filter { SecretNames.suggests($0) && !Self.isForPaging($0) }
    }

    /// The query names in order, without duplicates.
    private var queryNames: [String] {
        var names: [String] = []
        for (_, found) in queryPlaces {
            for name in found where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The query names by source.
    ///
    /// A name that repeats within one source is a list, not a mistake. The request replaces the
    /// endpoint's own items.
    private var queryPlaces: [(place: String, names: [String])] {
        var places: [(place: String, names: [String])] = []
        places.append(("the path", Self.names(in: writtenPath)))
        places.append(("queryParams", request.queryParams.map(\.0)))
        places += contributions.map { ($0.wrapper, $0.values.query.map(\.0)) }
        places.append(("queryItems", request.queryItems.map(\.name)))
        guard let endpoint else { return places }
        if isOnBaseOrigin {
            let replaced = Set(places.flatMap(\.names))
            let names = endpoint.queryParams.map(\.0).filter { !replaced.contains($0) }
            places.insert(("the endpoint", names), at: 0)
        }
        if !writtenPath.isAbsolute {
            let base = WrittenPath(endpoint.baseURL.absoluteString)
            places.insert(("the base URL", Self.names(in: base)), at: 0)
        }
        return places
    }

    private static func names(in path: WrittenPath) -> [String] {
        FormFields.items(in: (path.query ?? "").utf8).map(\.name)
    }

    /// Whether a token is a paging position rather than a secret.
    private static func isForPaging(_ name: String) -> Bool {
        let plain = name.lowercased()
        return ["page", "next", "continuation", "cursor"].contains { plain.contains($0) }
    }
}
