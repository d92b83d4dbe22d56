import Foundation
import NetKit

/// The line that answers a command.
struct Answer: Encodable {
    let id: Int?
    let content: AnswerContent

    private enum CodingKeys: String, CodingKey {
        case id, error, output
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        switch content {
        case .response(let response): try response.encode(to: encoder)
        case .events(let events): try events.encode(to: encoder)
        case .output(let output): try fields.encode(output, forKey: .output)
        case .error(let error): try fields.encode(error, forKey: .error)
        }
    }
}

/// What a command results in.
enum AnswerContent {
    case response(ResponseAnswer)
    case events(EventsAnswer)
    case output(JSONValue)
    case error(DriverError)
}

/// A response, whatever its status.
struct ResponseAnswer: Encodable {
    let status: Int
    let headers: [[String]]
    /// Base64.
    let body: Data
    let url: String?
    var attempts: Int?
    /// The outcome of the cache.
    var cache: String?
    /// The error that cut the body off or left it undecoded.
    let error: DriverError?

    init(_ http: HTTPResponse, error: DriverError? = nil) {
        self.init(
            status: http.statusCode,
            headers: http.headers,
            body: http.body,
            url: http.url.absoluteString,
            error: error
        )
    }

    init(
        status: Int,
        headers: HTTPHeaders,
        body: Data,
        url: String? = nil,
        error: DriverError? = nil
    ) {
        self.status = status
        self.headers = headers.map { [$0.name.rawName, $0.value] }
        self.body = body
        self.url = url
        self.error = error
    }
}

/// Server-sent events, and the error that ended them, if any.
struct EventsAnswer: Encodable {
    struct Event: Encodable {
        let id: String?
        let event: String
        let data: String
        /// Milliseconds.
        let retry: Int64?
    }

    var events: [Event] = []
    var end: DriverError?
}
