import NetKit

/// Asks the server to send us on to an address, which should answer as httpbin's `/get` does.
final class RedirectRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "redirect-to"
    let queryParams: [(String, String)]

    init(to address: String) {
        queryParams = [("url", address)]
    }
}
