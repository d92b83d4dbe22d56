/// Compares what the server saw of a test with what the test expects, as the original does.
struct ServerCheck {
    let steps: [Step]
    let responses: [StepResponse]
    let state: [ServerRequest]

    /// Runs the checks.
    ///
    /// - Throws: The first expectation that is not met.
    func run() throws(TestFailure) {
        var place = 0
        for (index, (step, response)) in zip(steps, responses).enumerated() {
            // The server doesn't see what comes from the cache.
            if step.origin == .cached { continue }
            let seen = place < state.count ? state[place] : nil
            place += 1
            try check(step, number: index + 1, response, seen)
        }
    }

    private func check(
        _ step: Step,
        number: Int,
        _ response: StepResponse,
        _ seen: ServerRequest?
    ) throws(TestFailure) {
        try checkOrigin(step, number, seen)
        try checkRequestFields(step, number, seen)
        if let seen { try checkResponseFields(number, response, seen) }
        if let method = step.expectedMethod {
            let seen = try Self.defined(seen)
            try TestFailure.check(
                seen.method == method,
                isSetup: step.isSetup("expected_method"),
                "Request \(number) had method \(seen.method), not \(method)"
            )
        }
    }

    private func checkOrigin(
        _ step: Step,
        _ number: Int,
        _ seen: ServerRequest?
    ) throws(TestFailure) {
        let isSetup = step.isSetup("expected_type")
        let validator: String
        switch step.origin {
        case .notCached:
            let seen = try Self.defined(seen)
            try TestFailure.check(
                seen.number == number,
                isSetup: isSetup,
                "Response \(number) comes from cache (\(seen.number ?? 0) on server)"
            )
            return
        case .etagValidated: validator = "if-none-match"
        case .dateValidated: validator = "if-modified-since"
        case .cached, nil: return
        }
        try TestFailure.check(
            seen != nil,
            isSetup: isSetup,
            "request \(number) wasn't sent to server"
        )
        try TestFailure.check(
            seen?.fields[validator] != nil,
            isSetup: isSetup,
            "request \(number) doesn't have \(validator) header"
        )
    }

    private func checkRequestFields(
        _ step: Step,
        _ number: Int,
        _ seen: ServerRequest?
    ) throws(TestFailure) {
        for expectation in step.requestFields ?? [] {
            let seen = try Self.defined(seen)
            let isSetup = step.isSetup("expected_request_headers")
            switch expectation {
            case .present(let name):
                try TestFailure.check(
                    seen.fields[name.lowercased()] != nil,
                    isSetup: isSetup,
                    "Request \(number) \(name) header not present."
                )
            case .equal(let field):
                let value = seen.fields[field.name.lowercased()]
                try TestFailure.check(
                    value != nil && value == field.text,
                    isSetup: isSetup,
                    "Request \(number) header \(field.name) is \"\(value ?? "undefined")\", "
                        + "not \"\(field.value)\""
                )
            case .same, .greater: throw .error("Error", "a comparison of request fields")
            }
        }
        for expectation in step.missingRequestFields ?? [] {
            let seen = try Self.defined(seen)
            let isSetup = step.isSetup("expected_request_headers_missing")
            switch expectation {
            case .present(let name):
                try TestFailure.check(
                    seen.fields[name.lowercased()] == nil,
                    isSetup: isSetup,
                    "Request \(number) \(name) header present."
                )
            case .equal(let field):
                try TestFailure.check(
                    seen.fields[field.name.lowercased()] != field.text,
                    isSetup: isSetup,
                    "Request \(number) header \(field.name) is \"\(field.value)\""
                )
            case .same, .greater: throw .error("Error", "a comparison of request fields")
            }
        }
    }

    /// What the server set on purpose has to arrive, after a validation too.
    private func checkResponseFields(
        _ number: Int,
        _ response: StepResponse,
        _ seen: ServerRequest
    ) throws(TestFailure) {
        for (name, value) in seen.responseFields where !Self.skipped.contains(name.lowercased()) {
            let received = response[name]
            try TestFailure.check(
                received == value,
                isSetup: true,
                "Response \(number) header \(name) is \"\(received ?? "null")\", not \"\(value)\""
            )
        }
    }

    /// Browsers hide the cookies' fields, and `Date` causes failures that mean nothing.
    private static let skipped: Set<String> = ["set-cookie", "set-cookie2", "date"]

    /// What is not there has no members, which is a `TypeError` in JavaScript.
    private static func defined(_ seen: ServerRequest?) throws(TestFailure) -> ServerRequest {
        guard let seen else { throw .error("TypeError", "the server did not see the request") }
        return seen
    }
}
