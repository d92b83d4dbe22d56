import NetKit

// Whatever else the encoder refuses.
extension LintedRequest {
    /// What keeps the request from being sent and is not among the findings.
    func refusals(beyond findings: [RequestFinding]) -> [RequestFinding] {
        var reasons: [InvalidRequest.Reason] = []
        for reason in refusals where !reasons.contains(reason) {
            if !findings.contains(where: { $0.explains(reason) }) { reasons.append(reason) }
        }
        return reasons.map { reason in
            RequestFinding(
                kind: .refused,
                subject: reason.subject,
                reason: InvalidRequest(reason).description
            )
        }
    }

    /// The reasons of the encoder for each part alone, since it stops at the first one, and then for
    /// the whole.
    private var refusals: [InvalidRequest.Reason] {
        var reasons = parameters.compactMap { $0.refusal?.reason }
        let probes = [
            Probe(path: ""),
            Probe(path: "", method: request.method),
            Probe(path: filledPath.path),
            Probe(path: "", method: .post, body: isMultipart ? nil : request.body),
        ]
        for probe in probes {
            if let reason = refusal(of: probe) { reasons.append(reason) }
        }
        if let reason = refusal(of: request) { reasons.append(reason) }
        return reasons
    }

    private func refusal(of request: some Request) -> InvalidRequest.Reason? {
        do throws(InvalidRequest) {
            _ = try encode(request)
            return nil
        } catch {
            return error.reason
        }
    }
}

extension RequestFinding {
    /// Whether this says what `reason` says, in words that say more.
    fileprivate func explains(_ reason: InvalidRequest.Reason) -> Bool {
        switch (kind, reason) {
        case (.unsetParameter, .missingPathParameter), (.unsetParameter, .unsetParameter),
            (.unsetParameter, .invalidHeader), (.mistypedProperty, .mistypedProperty),
            (.placeholderWithoutParameter, .missingPathParameter),
            (.parameterWithoutPlaceholder, .missingPathParameter),
            (.refusedHeader, .invalidHeader):
            subject == reason.subject
        case (.bodyWithoutMeaning, .invalidMethod(let text)): text == "\(subject) with a body"
        case (.severalBodies, .unencodableBody("two bodies")),
            (.severalBodies, .unencodableBody("raw data beside files")):
            true
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
