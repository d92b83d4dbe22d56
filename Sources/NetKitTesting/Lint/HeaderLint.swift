import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Mistakes in a request's header fields.
extension LintedRequest {
    /// The request's own fields by source; later sources take precedence.
    var ownFields: [(place: String, headers: HTTPHeaders)] {
        var fields = [(place: "headers", headers: request.headers)]
        if let token = request.authToken {
            var headers = HTTPHeaders()
            headers.authToken = token
            fields.append(("authToken", headers))
        }
        fields += contributions.filter { !$0.values.headers.isEmpty }
            .map { ($0.wrapper, $0.values.headers) }
        return fields
    }

    /// The names of all fields that the request and the endpoint set.
    var sentNames: Set<HTTPHeaderName> {
        let own = ownFields.flatMap { $0.headers.map(\.name) }
        let additional = endpoint?.sessionConfiguration.httpAdditionalHeaders?.keys
            .compactMap { ($0.base as? String).map { HTTPHeaderName($0) } }
        return Set(own + (endpoint?.headers.map(\.name) ?? []) + (additional ?? []))
    }

    /// Findings for fields with different values from several sources.
    ///
    /// The endpoint's fields don't count, because they are there to be replaced.
    var headerConflicts: [RequestFinding] {
        let fields = ownFields
        var names: [HTTPHeaderName] = []
        for (_, headers) in fields {
            for (name, _) in headers where !names.contains(name) { names.append(name) }
        }
        return names.compactMap { name in
            var places = fields.filter { $0.headers[name] != nil }
            if name == .authorization, places.first?.place == "headers",
                let token = fields.first(where: { $0.place == "authToken" }),
                token.headers[name] == nil
            {
                // A token in another field still replaces Authorization.
                places.append(token)
            }
            guard Set(places.map { $0.headers[name] }).count > 1 else { return nil }
            let shown = places.map(\.place).joined(separator: " and ")
            return RequestFinding(
                kind: .conflictingHeader,
                subject: name.rawName,
                reason: "\(shown) disagree on \(name); the last value is sent"
            )
        }
    }

    /// Findings for the request's own fields that can't be sent.
    var refusedHeaders: [RequestFinding] {
        var names: [String] = []
        for (_, headers) in ownFields {
            for name in refusedNames(in: headers) where !names.contains(name) { names.append(name) }
        }
        return names.map { name in
            RequestFinding(
                kind: .refusedHeader,
                subject: name,
                reason: InvalidRequest(.invalidHeader(name: name)).description
            )
        }
    }

    /// The rejected names, each tested alone because the encoder stops at the first one.
    private func refusedNames(in headers: HTTPHeaders) -> [String] {
        var trials = headers.map { name, value in HTTPHeaders([(name, value)]) }
        if headers.invalidAuthToken { trials.append(headers) }
        let allowsHost =
            request.headers.allowsHostOverride || endpoint?.headers.allowsHostOverride ?? false
        return trials.compactMap { trial in
            var headers = trial
            headers.allowsHostOverride = allowsHost
            do throws(InvalidRequest) {
                _ = try Self.encodeAlone(Probe(path: "", headers: headers))
                return nil
            } catch {
                guard case .invalidHeader(let name) = error.reason else { return nil }
                return name
            }
        }
    }
}
