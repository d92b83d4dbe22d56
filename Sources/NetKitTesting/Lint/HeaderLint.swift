import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Header fields: where they come from, and which must not be sent.
extension LintedRequest {
    /// The request's own fields by the places that they come from; later ones win.
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

    /// The names of all fields that the request and the endpoint give.
    var sentNames: Set<HTTPHeaderName> {
        let own = ownFields.flatMap { $0.headers.map(\.name) }
        let additional = endpoint?.sessionConfiguration.httpAdditionalHeaders?.keys
            .compactMap { ($0.base as? String).map { HTTPHeaderName($0) } }
        return Set(own + (endpoint?.headers.map(\.name) ?? []) + (additional ?? []))
    }

    /// Fields with different values from several places.
    ///
    /// The endpoint's fields are there to be replaced, and are no such place.
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
                // A token in a field of its own takes the place of an Authorization all the same.
                places.append(token)
            }
            guard Set(places.map { $0.headers[name] }).count > 1 else { return nil }
            let shown = places.map(\.place).joined(separator: " and ")
            return RequestFinding(
                kind: .conflictingHeader,
                subject: name.rawName,
                reason: "\(shown) disagree on \(name), and the last is sent"
            )
        }
    }

    /// Fields of the request's own that it cannot be sent with.
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

    /// The names that are refused, each tried alone: the encoder stops at the first one.
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
