public import NetKit

/// Looks at a request for what is wrong with it, without sending anything.
///
/// ```swift
/// #expect(lint(UserRequest(id: 1)).isEmpty)
/// ```
///
/// Everything that would keep the request from being sent is found, and some of what would be sent
/// and was hardly meant: ``RequestFinding/Kind`` lists it.
///
/// - Parameters:
///   - request: The request, with values as it is sent with.
///   - endpoint: Where it would be sent. By default the request's own endpoint, else
///     `Endpoint.default`; without any, what depends on an endpoint is not looked at.
/// - Returns: What is wrong, by kind and then in the order of declaration; empty if nothing is.
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
