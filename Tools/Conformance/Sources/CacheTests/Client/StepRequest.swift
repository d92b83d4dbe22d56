import Foundation
import NetKit

/// A request of a test, as a page's fetch would send it.
struct StepRequest: Request {
    typealias ResponseObjectType = Data
    typealias ErrorType = String

    let path: String
    let method: HTTPMethod
    let headers: HTTPHeaders
    let body: RequestBody?
    let cacheMode: FetchCacheMode

    /// Makes the request of a step.
    ///
    /// - Parameters:
    ///   - step: What the test says of it.
    ///   - number: Its place in the test, from 1.
    ///   - test: The test.
    ///   - uuid: What the server knows this run of the test by.
    ///   - previous: The response before it, which relative dates start from.
    init(
        _ step: Step,
        number: Int,
        of test: CacheTest,
        uuid: String,
        after previous: StepResponse?
    ) {
        path =
            "/test/\(uuid)" + (step.file.map { "/\($0)" } ?? "")
            + (step.query.map { "?\($0)" } ?? "")
        method = HTTPMethod(rawValue: step.method ?? "GET")
        body = step.body.map { .string($0) }
        cacheMode = step.cacheMode

        var headers = HTTPHeaders()
        for field in step.fields {
            var field = field
            if step.isDateRelative, field.name.lowercased() == "if-modified-since" {
                field = field.resolved(by: step, in: previous)
            }
            // As a fetch's Headers do: no blanks around a value, and one name may come twice.
            let value = field.value.description.trimmingCharacters(in: Self.blanks)
            headers.append(value, for: HTTPHeaderName(field.name))
        }
        headers.append(test.name, for: "Test-Name")
        headers.append(test.id, for: "Test-ID")
        headers.append(String(number), for: "Req-Num")
        self.headers = headers
    }

    private static let blanks = CharacterSet(charactersIn: " \t\r\n")
}
