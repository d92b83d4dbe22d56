import Foundation
import NetKit

// The query: names that come from several places, and names that speak of secrets.
extension LintedRequest {
    /// Names from several places, then names of secrets.
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

    /// The names in the query that speak of secrets.
    var secretQueryNames: [String] {
        queryNames.filter { SecretNames.suggests($0) && !Self.isForPaging($0) }
    }

    /// Each name in the query once, in order.
    private var queryNames: [String] {
        var names: [String] = []
        for (_, found) in queryPlaces {
            for name in found where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The names by the places that they come from.
    ///
    /// A name that comes again within one place is meant to: that is how lists are written.
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

    /// Whether a token says where a list goes on, and opens nothing.
    private static func isForPaging(_ name: String) -> Bool {
        let plain = name.lowercased()
        return ["page", "next", "continuation", "cursor"].contains { plain.contains($0) }
    }
}
