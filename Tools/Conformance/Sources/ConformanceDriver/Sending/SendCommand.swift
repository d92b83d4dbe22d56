import Foundation
import NetKit

/// A request and the settings to send it with.
struct SendCommand: Decodable {
    let engine: Engine
    let method: String?
    /// An http or https URL, which contains `base` and `path`.
    let url: String?
    let base: String?
    let path: String?
    /// The segments in place of `{segments}` in the path.
    let segments: [String]?
    /// The segment in place of `{segment}` in the path.
    let segment: String?
    let query: [[String]]?
    /// Items without a value.
    let flags: [String]?
    let headers: [[String]]?
    let body: BodyCommand?
    /// How the body of the response is received: `data` by default, `stream` or `file`.
    let receive: Receive?
    let options: Options?

    enum Receive: String, Decodable {
        case data, stream, file
    }

    struct Options: Decodable {
        /// Seconds, for the whole call and for silence.
        var timeout: Double?
        /// The maximum number of redirects; 0 to get the redirect itself.
        var redirects: Int?
        var retries: Int?
        /// The name of a cookie jar.
        var cookies: String?
        /// The name of a cache.
        var cache: String?
        var authentication: CredentialCommand?
        var maximumResponseSize: Int?
        /// A PEM file with the only authorities to trust, over AsyncHTTPClient.
        var authorities: String?
        var aws: AWSCommand?
    }

    /// Splits a URL into an origin and the rest.
    func address() throws -> (base: URL, path: String) {
        let base: String
        let path: String
        if let url {
            let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            base = parts.prefix(3).joined(separator: "/")
            path = parts.count > 3 ? "/\(parts[3])" : ""
        } else {
            base = self.base ?? ""
            path = self.path ?? ""
        }
        guard let baseURL = URL(string: base) else {
            throw DriverError(kind: "command", message: "not a URL: \(base)")
        }
        return (baseURL, path)
    }

    /// The header fields; a repeated name has several values.
    func fields() throws -> HTTPHeaders {
        var fields = HTTPHeaders()
        for field in headers ?? [] {
            let (name, value) = try field.pair
            fields.append(value, for: HTTPHeaderName(name))
        }
        return fields
    }
}

extension [String] {
    /// A name and a value.
    var pair: (String, String) {
        get throws {
            guard count == 2 else {
                throw DriverError(kind: "command", message: "not a pair: \(self)")
            }
            return (self[0], self[1])
        }
    }
}
