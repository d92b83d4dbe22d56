import Foundation
import NetKit
import NetKitTesting

/// The paths of httpbin.org that the demonstrations use, so that they need no network.
enum HTTPBin {
    static func answer(on server: MockServer) {
        server.route("GET", "/get") { try .json(echo($0)) }
        server.route("POST", "/post") { try .json(echo($0)) }
        server.route("GET", "/json") { _ in .json(text: slideshow) }
        server.route(nil, "/status/*") { .status(number(at: 1, of: $0)) }
        server.route("GET", "/delay/*") { request in
            try .json(echo(request)).delayed(by: .seconds(number(at: 1, of: request)))
        }
        server.route("GET", "/drip") { request in
            let bytes = max(1, number("numbytes", of: request))
            let pause = Duration.seconds(number("duration", of: request)) / bytes
            return .chunked(Array(repeating: Data("*".utf8), count: bytes), every: pause)
        }
        server.route("GET", "/redirect-to") { .redirect(to: value("url", of: $0) ?? "/get") }
        server.route("GET", "/basic-auth/*") { basicAuth($0) }
    }

    /// Says what arrived.
    private static func echo(_ request: RecordedRequest) -> JSONValue {
        let form = MultipartForm(request)
        return [
            "args": grouped(request.query),
            "headers": grouped(request.headers),
            "form": grouped(form?.fields ?? []),
            "files": grouped(form?.files ?? []),
        ]
    }

    /// One value of a name as a text, several as an array.
    private static func grouped(_ pairs: [(name: String, value: String)]) -> JSONValue {
        let groups = Dictionary(grouping: pairs, by: \.name)
        return .object(
            groups.mapValues { pairs in
                let texts = pairs.map { JSONValue.string($0.value) }
                return texts.count == 1 ? texts[0] : .array(texts)
            }
        )
    }

    private static func basicAuth(_ request: RecordedRequest) -> MockResponse {
        let segments = request.path.split(separator: "/").map(String.init)
        guard segments.count == 3 else { return .status(404) }
        let pair = Data("\(segments[1]):\(segments[2])".utf8)
        guard request.header("Authorization") == "Basic \(pair.base64EncodedString())" else {
            return .status(401).header("WWW-Authenticate", "Basic realm=\"Fake Realm\"")
        }
        return .json(text: #"{"authenticated": true, "user": "\#(segments[1])"}"#)
    }

    private static func value(_ name: String, of request: RecordedRequest) -> String? {
        request.query.first { $0.name == name }?.value
    }

    private static func number(_ name: String, of request: RecordedRequest) -> Int {
        value(name, of: request).flatMap { Int($0) } ?? 0
    }

    private static func number(at index: Int, of request: RecordedRequest) -> Int {
        let segments = request.path.split(separator: "/")
        return segments.indices.contains(index) ? Int(segments[index]) ?? 0 : 0
    }

    private static let slideshow = """
        {
          "slideshow": {
            "author": "Yours Truly",
            "slides": [
              {"title": "Wake up to WonderWidgets!", "type": "all"},
              {"title": "Overview", "type": "all", "items": ["Why", "Who"]}
            ],
            "title": "Sample Slide Show"
          }
        }
        """
}
