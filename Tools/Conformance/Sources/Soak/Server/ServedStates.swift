import Foundation
import NetKitTesting

// Redirects, cookies and cached answers.
extension FaultyServer {
    func addRedirects() {
        // /redirect/HOPS/NUMBER leads to /value/NUMBER, or to /upload/NUMBER with a body.
        route("/redirect/*") { request in
            let hops = request.pathSegments.dropFirst().first.flatMap { Int($0) } ?? 0
            let status = max(301, request.query("status"))
            guard hops > 1 else {
                let target = request.bodyLength > 0 ? "upload" : "value"
                return .redirect(to: "/\(target)/\(request.number)", status: status)
            }
            let next = "/redirect/\(hops - 1)/\(request.number)?status=\(status)"
            return .redirect(to: next, status: status)
        }
        route("/away/*") { [other] request in
            .redirect(to: other.url("/credentials/\(request.number)").absoluteString)
        }
    }

    func addStates() {
        route("/cookies") { request in
            let pairs = (request.header("Cookie") ?? "").split(separator: ";")
                .map { $0.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) } }
                .filter { $0.count == 2 }
            return try .json(Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first })
        }
        // /cookie/NAME/VALUE sets a cookie, and the value 0 removes it.
        route("/cookie/*") { request in
            let name = request.pathSegments.dropFirst().first ?? "none"
            let age = request.number == 0 ? "; Max-Age=0" : ""
            return try MockResponse.json(Numbered(request.number))
                .header("Set-Cookie", "\(name)=\(request.number); Path=/\(age)")
        }
        route("/cached/*") { request in
            let version = Content.version()
            let language = request.header("Accept-Language") ?? "none"
            let eTag = "\"\(request.number)-\(language)-\(version)\""
            let isCurrent = request.header("If-None-Match") == eTag
            let answer =
                isCurrent
                ? MockResponse.status(304)
                : try .json(
                    Versioned(
                        key: request.number,
                        language: language,
                        version: version,
                        text: Content.text(request.number)
                    )
                )
            return answer.header("Cache-Control", "max-age=1").header("ETag", eTag)
                .header("Vary", "Accept-Language")
        }
    }
}
