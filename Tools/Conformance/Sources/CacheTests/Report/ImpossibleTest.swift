/// Tests that no private cache in NetKit can pass.
///
/// They count as not passed all the same.
enum ImpossibleTest {
    /// The reasons, by the tests' identifiers.
    static let reasons: [String: String] = [
        "headers-store-Content-Encoding": coding,
        "304-etag-update-response-Content-Encoding": coding,
        "headers-store-Transfer-Encoding":
            "the server names an unknown transfer coding, and the transport refuses the response",
        "headers-store-Set-Cookie": "NetKit never replays Set-Cookie",
        "304-etag-update-response-Set-Cookie": "NetKit never replays Set-Cookie",
        "stale-close-must-revalidate": noResponse,
        "stale-close-no-cache": noResponse,
    ]

    private static let coding =
        "the server names an unknown content coding, and libcurl refuses the response"
    private static let noResponse =
        "wants a response where the connection was closed, and NetKit throws an error"
}
