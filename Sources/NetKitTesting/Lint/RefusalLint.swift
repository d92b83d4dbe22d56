import NetKit

// Whatever else the encoder refuses.
extension LintedRequest {
    /// What keeps the request from being sent and is not among the findings.
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

    /// The errors of the encoder for each part alone, since it stops at the first one, and then for
    /// the whole.
    private var refusals: [InvalidRequest] {
        var refusals = parameters.compactMap(\.refusal)
        let probes = [
            Probe(path: ""),
            Probe(path: "", method: request.method),
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
    /// Whether this says what `refusal` says, in words that say more.
    fileprivate func explains(_ refusal: InvalidRequest) -> Bool {
        let reason = refusal.reason
        return switch (kind, reason) {
        case (.unsetParameter, .missingPathParameter), (.unsetParameter, .unsetParameter),
            (.unsetParameter, .invalidHeader), (.mistypedProperty, .mistypedProperty),
            (.placeholderWithoutParameter, .missingPathParameter),
            (.parameterWithoutPlaceholder, .missingPathParameter),
            (.refusedHeader, .invalidHeader):
            subject == reason.subject
        case (.bodyWithoutMeaning, .invalidMethod):
            refusal.bodyProblem == .notAllowed(HTTPMethod(rawValue: subject))
        case (.severalBodies, .unencodableBody): refusal.bodyProblem == .severalBodies
        default: false
        }
    }
}

extension InvalidRequest.Reason {
    /// What it is about.
    fileprivate var subject: String {
        switch self {
        case .missingEndpoint: ""
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
