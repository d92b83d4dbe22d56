package import Foundation

/// Where in a call a failure happened, as its descriptions say it.
package struct FailurePlace: Hashable, Sendable {
    package static let refreshFailed = "the token refresh failed"

    /// Method and redacted URL of the call's request; nil before the request is known.
    private var request: String?
    /// Method and redacted URL of a token refresh's request, empty if it isn't known; nil outside of a refresh.
    private var refresh: String?

    /// Creates a place.
    ///
    /// - Parameter request: Method and redacted URL of the request, if known. Defaults to nil.
    package init(_ request: String? = nil) {
        self.request = request
    }

    /// Whether the failure is that of a token refresh that the call waited for.
    package var isInRefresh: Bool { refresh != nil }

    /// The same place in a request, unless one is known already.
    package func of(_ request: @autoclosure () -> String) -> FailurePlace {
        guard self.request == nil else { return self }
        var place = self
        place.request = request()
        return place
    }

    /// The same place in a token refresh, whose call isn't known yet.
    package func duringRefresh() -> FailurePlace {
        var place = FailurePlace()
        place.refresh = refresh ?? request ?? ""
        return place
    }

    /// One line for logs, with methods and URLs before the words.
    package func line(_ words: String) -> String {
        var parts: [String] = []
        if let request { parts.append(request) }
        if let refresh {
            parts.append(Self.refreshFailed)
            if !refresh.isEmpty { parts.append(refresh) }
        }
        return (parts + [words]).joined(separator: ": ")
    }

    /// One line for people, without URLs.
    package func message(_ words: String) -> String {
        isInRefresh ? "\(Self.refreshFailed): \(words)" : words
    }
}

// A URLError of the caller's own code, such as that of a token refresh.
extension URLError {
    private static let placeKey = "NetKit.FailurePlace"

    /// Where in a call the error was thrown.
    package var place: FailurePlace { userInfo[Self.placeKey] as? FailurePlace ?? FailurePlace() }

    /// The same error, which knows its place.
    package func at(_ place: FailurePlace) -> URLError {
        var info = userInfo
        info[Self.placeKey] = place
        return URLError(code, userInfo: info)
    }

    /// What the code means, such as `bad server response (URLError -1011)`.
    ///
    /// Foundation's own text on Linux is only the number.
    package var words: String {
        let number = "URLError \(code.rawValue)"
        return Self.meanings[code].map { "\($0) (\(number))" } ?? number
    }

    private static let meanings: [Code: String] = [
        .badServerResponse: "bad server response", .badURL: "bad URL",
        .cancelled: "canceled", .cannotConnectToHost: "could not connect to the server",
        .cannotDecodeContentData: "the content can't be decoded",
        .cannotDecodeRawData: "the content can't be decoded",
        .cannotFindHost: "host not found", .cannotParseResponse: "the response can't be parsed",
        .dataLengthExceedsMaximum: "too much data", .dnsLookupFailed: "host not found",
        .fileDoesNotExist: "the file does not exist",
        .httpTooManyRedirects: "too many redirects",
        .networkConnectionLost: "connection lost",
        .noPermissionsToReadFile: "the file can't be read",
        .notConnectedToInternet: "no network connection",
        .resourceUnavailable: "the resource is unavailable",
        .secureConnectionFailed: "TLS handshake failed", .timedOut: "timed out",
        .unsupportedURL: "unsupported URL",
        .userAuthenticationRequired: "authentication required",
        .userCancelledAuthentication: "authentication canceled",
        .zeroByteResource: "the response is empty",
    ]
}
