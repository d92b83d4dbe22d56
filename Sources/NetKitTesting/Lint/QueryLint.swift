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
    /// A name that repeats within one source is a list, not a mistake.
    private var queryPlaces: [(place: String, names: [String])] {
        var places: [(place: String, names: [String])] = []
        if let base = endpoint?.baseURL, !isAbsolute {
            places.append(("the base URL", Self.names(inQueryOf: base.absoluteString)))
        }
        places.append(("the path", Self.names(inQueryOf: request.path)))
        places.append(("queryParams", request.queryParams.map(\.0)))
        places += contributions.map { ($0.wrapper, $0.values.query.map(\.0)) }
        places.append(("queryItems", request.queryItems.map(\.name)))
        return places
    }

    private static func names(inQueryOf text: String) -> [String] {
        let address = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = address.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return FormFields.items(in: address[address.index(after: mark)...]).map(\.name)
    }

    /// Whether a token is a paging position rather than a secret.
    private static func isForPaging(_ name: String) -> Bool {
        let plain = name.lowercased()
        return ["page", "next", "continuation", "cursor"].contains { plain.contains($0) }
    }
}
