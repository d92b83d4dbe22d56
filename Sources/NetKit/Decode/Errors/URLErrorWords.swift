import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A URLError of the caller's own code, such as that of a token refresh.
extension URLError {
    private static let placeKey = "NetKit.FailurePlace"

    /// Where in a call the error was thrown.
    var place: FailurePlace { userInfo[Self.placeKey] as? FailurePlace ?? FailurePlace() }

    /// The same error, which knows its place.
    func at(_ place: FailurePlace) -> URLError {
        var info = userInfo
        info[Self.placeKey] = place
        return URLError(code, userInfo: info)
    }

    /// What the code means, such as `bad server response (URLError -1011)`.
    ///
    /// Foundation's own text on Linux is only the number.
    var words: String {
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
