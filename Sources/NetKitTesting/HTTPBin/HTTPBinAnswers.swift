import Foundation

// Responses that don't depend on time or framing.
extension MockServer {
    func addEchoRoutes() {
        answer("GET", "/get") { .json(text: HTTPBinEcho(request: $0).text(.withoutBody)) }
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            answer(method, "/" + method.lowercased()) { request in
                .json(text: HTTPBinEcho(request: request).text(.withBody))
            }
        }
        answer(nil, "/anything/*") { .json(text: HTTPBinEcho(request: $0).text(.all)) }
        answer("GET", "/headers") { .json(text: HTTPBinEcho(request: $0).text([.headers])) }
        answer("GET", "/ip") { .json(text: HTTPBinEcho(request: $0).text([.origin])) }
        answer("GET", "/user-agent") { request in
            let agent = request.header("User-Agent").map(HTTPBinJSON.string) ?? "null"
            return .json(text: HTTPBinJSON.object([("user-agent", agent)]))
        }
        answer(nil, "/delay/*") { request in
            let seconds = try request.number(0...3600, Double.init)
            return .json(text: HTTPBinEcho(request: request).text(.withBody))
                .delayed(by: .milliseconds(Int(seconds * 1000)))
        }
    }

    func addStatusRoutes() {
        answer(nil, "/status/*") { request in
            let code = try request.number(200...999) { Int($0) }
            let response = MockResponse.status(code)
            switch code {
            case 301, 302, 303, 305, 307, 308: return response.header("Location", "/redirect/1")
            case 401: return response.header("WWW-Authenticate", #"Basic realm="Fake Realm""#)
            case 418: return .text("I'm a teapot!\n", status: 418)
            default: return response
            }
        }
        answer(nil, "/redirect-to") { request in
            guard let url = request.queryValue("url") else {
                throw HTTPBinRefusal(reason: "no url")
            }
            let status = try request.number("status_code", or: 302, in: 300...399) { Int($0) }
            return .redirect(to: url, status: status)
        }
        for (path, isAbsolute) in [
            ("/redirect/", false), ("/relative-redirect/", false), ("/absolute-redirect/", true),
        ] {
            answer("GET", path + "*") { request in
                let left = try request.number(1...1000) { Int($0) } - 1
                let target = left == 0 ? "/get" : "\(path)\(left)"
                return .redirect(
                    to: isAbsolute ? HTTPBinEcho(request: request).origin + target : target
                )
            }
        }
        answer(nil, "/response-headers") { request in
            request.query.reduce(.json(text: HTTPBinJSON.object(ofItems: request.query))) {
                $0.header($1.name, $1.value)
            }
        }
    }

    func addCredentialRoutes() {
        answer("GET", "/basic-auth/*") { request in
            let names = request.pathSegments.dropFirst()
            guard names.count == 2, let user = names.first, let password = names.last else {
                throw HTTPBinRefusal(reason: "not found", status: 404)
            }
            let expected = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
            guard request.header("Authorization") == expected else {
                return MockResponse.status(401)
                    .header("WWW-Authenticate", #"Basic realm="Fake Realm""#)
            }
            let members = [("authenticated", "true"), ("user", HTTPBinJSON.string(user))]
            return .json(text: HTTPBinJSON.object(members))
        }
        answer("GET", "/bearer") { request in
            let prefix = "Bearer "
            guard let value = request.header("Authorization"), value.hasPrefix(prefix) else {
                return MockResponse.status(401).header("WWW-Authenticate", "Bearer")
            }
            let token = HTTPBinJSON.string(String(value.dropFirst(prefix.count)))
            return .json(text: HTTPBinJSON.object([("authenticated", "true"), ("token", token)]))
        }
    }
}
