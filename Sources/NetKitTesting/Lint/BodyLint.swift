import Foundation
import NetKit

// Mistakes in a request's body.
extension LintedRequest {
    /// Findings for excess bodies, bodies where none is allowed, and bodies without a type.
    var bodyFindings: [RequestFinding] {
        var findings: [RequestFinding] = []
        let method = request.ownMethod
        let places = bodyPlaces
        if !places.isEmpty || isMultipart, !method.allowsBody {
            findings.append(
                RequestFinding(
                    kind: .unexpectedBody,
                    subject: method.rawValue,
                    reason: "a \(method) can't have a body, so NetKit refuses the request"
                )
            )
        }
        if places.count > 1 {
            findings.append(
                RequestFinding(
                    kind: .multipleBodies,
                    subject: "body",
                    reason:
                        "\(places.joined(separator: " and ")) are bodies, but a request has only one"
                )
            )
        }
        if sendsUnnamedBytes {
            findings.append(
                RequestFinding(
                    kind: .bodyWithoutContentType,
                    subject: HTTPHeaderName.contentType.rawName,
                    reason: "the body has bytes but no Content-Type"
                )
            )
        }
        return findings
    }

    /// The sources of a body, with one name for each.
    private var bodyPlaces: [String] {
        var places =
            contributions.filter { $0.values.rawBody != nil || $0.values.objectBody != nil }
            .map(\.wrapper)
        if request.body != nil { places.append("body") }
        return places
    }

    /// Whether the body is sent as `application/octet-stream` because no type is given.
    private var sendsUnnamedBytes: Bool {
        guard !isMultipart, !sentNames.contains(.contentType) else { return false }
        if contributions.contains(where: { $0.values.rawBody != nil }) { return true }
        guard !contributions.contains(where: { $0.values.objectBody != nil }) else { return false }
        switch request.body {
        case .raw: return true
        case .file(let file, nil): return MimeType(fileExtension: file.pathExtension) == nil
        default: return false
        }
    }
}
