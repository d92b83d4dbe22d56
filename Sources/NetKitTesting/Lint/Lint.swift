public import NetKit

/// Returns the mistakes in a request, without sending it.
///
/// ```swift
/// #expect(lint(UserRequest(id: 1)).isEmpty)
/// ```
///
/// The linter reports every mistake that keeps the request from being sent. It also reports
/// requests that can be sent but are probably mistakes. ``RequestFinding/Kind`` lists both.
///
/// - Parameters:
///   - request: The request, with the values to send.
///   - endpoint: The endpoint to send it to. Defaults to the request's own endpoint, else
///     `Endpoint.default`. Without any, checks that depend on an endpoint are skipped.
/// - Returns: The findings, by kind and then in order of declaration; empty if there are none.
public func lint(_ request: some Request, on endpoint: Endpoint? = nil) -> [RequestFinding] {
    let linted = LintedRequest(request, on: endpoint ?? request.endpoint ?? .default)
    var findings = linted.propertyFindings
    findings += linted.parameterFindings
    findings += linted.pathFindings
    findings += linted.bodyFindings
    findings += linted.headerConflicts
    findings += linted.queryFindings
    findings += linted.credentialFindings
    findings += linted.retryFindings
    findings += linted.refusedHeaders
    return findings + linted.refusals(beyond: findings)
}
