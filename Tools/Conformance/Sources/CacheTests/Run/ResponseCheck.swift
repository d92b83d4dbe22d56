/// Compares a response with what its test expects; the checks, their order and their words are those of the original.
struct ResponseCheck {
    let step: Step
    /// The request's place in the test, from 1.
    let number: Int
    let uuid: String
    let response: StepResponse

    /// Runs the checks.
    ///
    /// - Throws: The first expectation that is not met.
    func run() throws(TestFailure) {
        try checkRetries()
        try checkOrigin()
        try checkStatus()
        try checkFields()
        try checkMissingFields()
        try checkBody()
    }

    /// A request that reached the server twice was retried, and the counts mean nothing then.
    private func checkRetries() throws(TestFailure) {
        guard let numbers = response["Request-Numbers"] else { return }
        let parts = numbers.split(separator: " ", omittingEmptySubsequences: false)
            .map { StepResponse.number($0) }
        try TestFailure.check(parts.count == Set(parts).count, isSetup: true, "retry")
    }

    private func checkOrigin() throws(TestFailure) {
        let count = response.number("Server-Request-Count")
        let isSetup = step.isSetup("expected_type")
        switch step.origin {
        case .cached:
            // Some caches leave the field out of a 304.
            if response.status == 304, count == nil { return }
            try TestFailure.check(
                count.map { $0 < number } ?? false,
                isSetup: isSetup,
                "Response \(number) does not come from cache"
            )
        case .notCached:
            try TestFailure.check(
                count == number,
                isSetup: isSetup,
                "Response \(number) comes from cache"
            )
        case .etagValidated, .dateValidated, nil: return
        }
    }

    private func checkStatus() throws(TestFailure) {
        let status = response.status
        switch step.expectedStatus {
        case .anything: return
        case .value(let expected):
            try TestFailure.check(
                status == expected,
                isSetup: step.isSetup("expected_status"),
                "Response \(number) status is \(status), not \(expected)"
            )
            return
        case nil: break
        }
        if step.configuredStatus == nil, status == 999 {
            // The server's word for a request that should have been conditional.
            try TestFailure.check(
                false,
                isSetup: step.isSetup("expected_type"),
                "Request \(number) should have been conditional, but it was not."
            )
        }
        let expected = step.configuredStatus ?? 200
        try TestFailure.check(
            status == expected,
            isSetup: true,
            "Response \(number) status is \(status), not \(expected)"
        )
    }

    private func checkFields() throws(TestFailure) {
        let isSetup = step.isSetup("expected_response_headers")
        for expectation in step.responseFields ?? [] {
            switch expectation {
            case .present(let name): try checkPresence(name, isSetup)
            case .same(let name, as: let other):
                try checkPresence(name, isSetup)
                try TestFailure.check(
                    response[name] == response[other],
                    isSetup: isSetup,
                    words(name, "should match \(other) (\(response[other] ?? "null"))")
                )
            case .greater(let name, than: let limit):
                try checkPresence(name, isSetup)
                try TestFailure.check(
                    response.number(name).map { $0 > limit } ?? false,
                    isSetup: isSetup,
                    words(name, "should be bigger than \(limit)")
                )
            case .equal(let field):
                let expected = field.resolved(by: step, in: response)
                let value = response[field.name]
                try TestFailure.check(
                    value != nil && value == expected.text,
                    isSetup: isSetup,
                    "Response \(number) header \(field.name) is \"\(value ?? "null")\", "
                        + "not \"\(expected.value)\""
                )
            }
        }
    }

    private func checkPresence(_ name: String, _ isSetup: Bool) throws(TestFailure) {
        try TestFailure.check(
            response[name] != nil,
            isSetup: isSetup,
            "Response \(number) \(name) header not present."
        )
    }

    private func words(_ name: String, _ demand: String) -> String {
        "Response \(number) header \(name) is \(response[name] ?? "null"), \(demand)"
    }

    /// Names alone are looked at.
    ///
    /// The original reads the fields of a pair, a name and a value, as properties of a `Headers` object, which has none of
    /// that name: it never finds one.
    private func checkMissingFields() throws(TestFailure) {
        for case .present(let name) in step.missingResponseFields ?? [] {
            try TestFailure.check(
                response[name] == nil,
                isSetup: step.isSetup("expected_response_headers_missing"),
                "Response \(number) includes unexpected header \(name): "
                    + "\"\(response[name] ?? "null")\""
            )
        }
    }

    private func checkBody() throws(TestFailure) {
        guard step.checksBody else { return }
        if let expected = step.expectedText {
            try compareBody(with: expected, isSetup: step.isSetup("expected_response_text"))
        } else if case .value = step.configuredBody, let expected = step.configuredBody {
            try compareBody(with: expected, isSetup: true)
        } else if response.status != 204, response.status != 304, step.method != "HEAD" {
            try compareBody(with: .value(uuid), isSetup: true)
        }
    }

    private func compareBody(
        with expected: Step.Expectation<String>,
        isSetup: Bool
    ) throws(TestFailure) {
        guard case .value(let text) = expected else { return }
        try TestFailure.check(
            response.text == text,
            isSetup: isSetup,
            "Response body is \"\(response.text)\", not \"\(text)\""
        )
    }
}
