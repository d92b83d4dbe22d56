/// A status as a person reads it: `HTTP 404 Not Found`.
enum StatusLine {
    static func text(of response: HTTPResponse) -> String { "HTTP \(response.status)" }
}
