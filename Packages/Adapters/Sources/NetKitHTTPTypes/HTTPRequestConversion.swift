import Foundation
public import HTTPTypes
public import NetKit

extension HTTPRequest.Method {
    /// Creates the same method.
    ///
    /// - Parameter method: The method. Nil is returned for one that is no token (RFC 9110, section 5.6.2).
    public init?(_ method: HTTPMethod) {
        self.init(rawValue: method.rawValue)
    }
}

extension HTTPMethod {
    /// Creates the same method.
    ///
    /// - Parameter method: The method.
    public init(_ method: HTTPRequest.Method) {
        self.init(rawValue: method.rawValue)
    }
}

extension HTTPRequest {
    /// Creates the head of a request.
    ///
    /// The body stays behind, as `HTTPRequest` has none. So do the user, the password and the fragment of the URL, which are
    /// never sent. An empty path becomes `/`.
    ///
    /// - Parameter request: The request, such as one that a `Transport` sends or an `ObservedExchange` has.
    /// - Throws: ``HTTPConversionFailure`` for a method, a URL or a header field that HTTPTypes can't hold as it is.
    public init(_ request: EncodedRequest) throws(HTTPConversionFailure) {
        guard let method = Method(request.method) else { throw .method(request.method.rawValue) }
        // Taken apart as text, so that nothing is encoded anew.
        let text = request.url.absoluteString.prefix { $0 != "#" }
        guard let colon = text.range(of: "://") else { throw .url }
        let rest = text[colon.upperBound...]
        let server = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[server.endIndex...]
        let authority = server.split(separator: "@").last ?? ""
        let path = target.hasPrefix("/") ? String(target) : "/\(target)"
        guard !authority.isEmpty, HTTPField.isValidValue(path),
            HTTPField.isValidValue(String(authority))
        else { throw .url }
        self.init(
            method: method,
            scheme: String(text[..<colon.lowerBound]),
            authority: String(authority),
            path: path,
            headerFields: try HTTPFields(request.headers)
        )
    }
}

extension EncodedRequest {
    /// Creates a request from a head and a body.
    ///
    /// - Parameters:
    ///   - request: The head. It needs a scheme of http or https and an authority; a missing path is `/`.
    ///   - body: The body. Defaults to none.
    /// - Throws: ``HTTPConversionFailure/url`` for a head without a whole http or https URL, such as that of a CONNECT.
    public init(_ request: HTTPRequest, body: BodySource? = nil) throws(HTTPConversionFailure) {
        guard let scheme = request.scheme, ["http", "https"].contains(scheme.lowercased()),
            let authority = request.authority, !authority.isEmpty,
            !authority.contains(where: { "/?#@\\".contains($0) })
        else { throw .url }
        let path = request.path ?? "/"
        let text = "\(scheme)://\(authority)\(path)"
        // Foundation may encode characters that no URL has, and the path would be another one.
        guard path.hasPrefix("/"), !path.contains("#"), let url = URL(string: text),
            url.absoluteString == text
        else { throw .url }
        self.init(
            url: url,
            method: HTTPMethod(request.method),
            headers: HTTPHeaders(request.headerFields),
            body: body
        )
    }
}
