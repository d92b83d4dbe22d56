import NetKit

// Other reasons why the encoder refuses a request.
extension LintedRequest {
    /// Returns findings for the encoder's errors that no other finding explains.
    func refusals(beyond findings: [RequestFinding]) -> [RequestFinding] {
        var beyond: [InvalidRequest] = []
        for refusal in refusals where !beyond.contains(where: { $0.reason == refusal.reason }) {
            if !findings.contains(where: { $0.explains(refusal) }) { beyond.append(refusal) }
        }
        return beyond.map { refusal in
            RequestFinding(
                kind: .refused,
                subject: refusal.reason.subject,
                reason: refusal.description
            )
        }
    }

    /// The encoder's errors for each part alone, because it stops at the first one, then for the
    /// whole.
    private var refusals: [InvalidRequest] {
        var refusals = parameters.compactMap(\.refusal)
        let probes = [
            Probe(path: ""),
            Probe(path: "", method: request.ownMethod),
            Probe(path: filledPath.path),
            Probe(path: "", method: .post, body: isMultipart ? nil : request.body),
        ]
        for probe in probes {
            if let refusal = refusal(of: probe) { refusals.append(refusal) }
        }
        if let refusal = refusal(of: request) { refusals.append(refusal) }
        return refusals
    }

    private func refusal(of request: some Request) -> InvalidRequest? {
        do throws(InvalidRequest) {
            _ = try encode(request)
            return nil
        } catch {
            return error
        }
    }
}

extension RequestFinding {
    /// Whether this finding explains `refusal` in more detail.
    fileprivate func explains(_ refusal: InvalidRequest) -> Bool {
        let reason = refusal.reason
        return switch (kind, reason) {
        case (.unsetParameter, .missingPathParameter), (.unsetParameter, .unsetParameter),
            (.mistypedProperty, .mistypedProperty),
            (.placeholderWithoutParameter, .missingPathParameter),
            (.parameterWithoutPlaceholder, .missingPathParameter),
            (.refusedHeader, .invalidHeader):
            subject == reason.subject
        case (.unexpectedBody, .invalidMethod):
            refusal.bodyProblem == .notAllowed(HTTPMethod(rawValue: subject))
        case (.multipleBodies, .unencodableBody): refusal.bodyProblem == .multipleBodies
        default: false
        }
    }
}

extension InvalidRequest.Reason {
    /// The subject of the error.
    fileprivate var subject: String {
        switch self {
        case .missingEndpoint, .endpointShutDown: ""
        case .invalidURL(let text): text
        case .invalidMethod(let method): method
        case .invalidHeader(let name): name
        case .missingPathParameter(let name), .unsafePathParameter(let name): name
        case .unreadableFile(let path): path
        case .unsetParameter(let name), .mistypedProperty(let name, _, _): name
        case .unencodableParameter(let keyPath), .unencodableBody(let keyPath): keyPath
        }
    }
}
