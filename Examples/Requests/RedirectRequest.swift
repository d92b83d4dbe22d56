import NetKit

/// Requests a redirect to a URL that responds like httpbin's `/get`.
final class RedirectRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "redirect-to"
    let queryParams: [(String, String)]

    init(to address: String) {
        queryParams = [("url", address)]
    }
}
