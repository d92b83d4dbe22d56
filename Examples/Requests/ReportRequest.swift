import NetKit

/// A report, which takes the server a while.
struct Report: Codable, Sendable {
    let pages: Int
}

/// Requests a report, whose Location the server sends in a 202.
final class ReportRequest: Request {
    typealias ResponseObjectType = Report

    let path = "reports"
    let method: HTTPMethod = .post
    let body: RequestBody? = .params(["year": 2024])
}

/// Requests the state of a report as text.
final class StateRequest: Request {
    typealias ResponseObjectType = String

    let path = "state"
}
