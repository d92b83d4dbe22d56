package import Foundation

/// What an endpoint contributes to each of its requests.
package struct EncodingDefaults: Sendable {
    /// The base URL taken apart, or why nothing can be sent there.
    let base: Result<BaseURL, InvalidRequest>
    /// What every request is sent with unless it says otherwise.
    package var headers: HTTPHeaders
    /// What the query of every request has unless it has the name itself.
    package var queryParams: [(String, String)] = []
    /// What is not shown of the requests.
    package var redaction = Redaction.secrets

    /// Takes a base URL apart.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are joined to. One that cannot be used is reported by each request.
    ///   - headers: What every request is sent with.
    package init(baseURL: URL, headers: HTTPHeaders) {
        base = Result { () throws(InvalidRequest) in try BaseURL(baseURL) }
        self.headers = headers
    }
}
