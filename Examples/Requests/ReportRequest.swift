import NetKit

/// What is ready only after a while.
struct Report: Codable, Sendable {
    let pages: Int
}

/// Orders a report; the server says with a 202 where it will be.
final class ReportRequest: Request {
    typealias ResponseObjectType = Report

    let path = "reports"
    let method: HTTPMethod = .post
    let body: RequestBody? = .params(["year": 2024])
}
