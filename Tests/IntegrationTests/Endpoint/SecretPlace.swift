import Foundation
import NetKit
import NetKitTesting
import Testing

/// A place in which a request or its response can hold a secret.
struct SecretPlace: Sendable, CustomTestStringConvertible {
    static let secret = "hunter2-S3CR3T"
    /// The secret, and its forms in credentials.
    static let forms =
        [secret]
        + [secret, "user:\(secret)", "me:\(secret)"].map { Data($0.utf8).base64EncodedString() }

    let name: String
    /// The user and password in the base URL, with the sign behind them.
    var user = ""
    var path = "place"
    var query: [(String, String)] = []
    var headers: HTTPHeaders = [:]
    /// The type of the body, which the response has too.
    var type: String?
    var body = Data()
    var responseFields: [(String, String)] = []
    var trailers: [(name: String, value: String)] = []

    var testDescription: String { name }

    var requestBody: RequestBody? { body.isEmpty ? nil : .raw(body) }

    func response(_ status: Int) -> MockResponse {
        var response: MockResponse =
            body.isEmpty
            ? .json(text: "[]", status: status) : .data(body, contentType: type, status: status)
        for (name, value) in responseFields { response = response.header(name, value) }
        return trailers.isEmpty ? response : response.trailers(trailers)
    }
}

extension SecretPlace {
    static let all: [SecretPlace] =
        requestFields + responseFields + queries + addresses + bodies + wideBodies
        + (TransportUnderTest.limits.contains(.trailers) ? [] : [inTrailers])

    private static let inTrailers = SecretPlace(
        name: "response trailers",
        trailers: [("X-Token", secret), ("ETag", "token=\(secret)")]
    )

    private static let s = secret

    /// The names and values of header fields, most of which can be in a request and in a response.
    private static let fields: [(String, String)] =
        [
            "X-Api-Key", "X-Functions-Key", "X-Master-Key", "X-CSRF", "X-XSRF", "X-Hmac",
            "X-Bearer",
            "x-amz-server-side-encryption-customer-key", "X-Amz-Security-Token", "X-Auth", "X-Pass",
            "X-Session", "X-Signature", "X-GitHub-OTP", "Ocp-Apim-Subscription-Key", "X-Custom",
            "X-Vault-Token", "Private-Token", "X-Goog-Iap-Jwt-Assertion", "X-Forwarded-User",
            "Authentication-Info", "Sec-WebSocket-Protocol", "SOAPAction",
        ]
        .map { ($0, s) }
        + [
            ("Link", "<https://me:\(s)@h/i?page=2&access_token=\(s)#\(s)>; rel=\"next\""),
            ("Link", "</a>; rel=next; title=\"password=\(s)\""),
            ("Content-Location", "/a?sig=\(s)#\(s)"), ("User-Agent", "app/1 (token=\(s))"),
            ("Content-Disposition", "attachment; filename=\"password=\(s)\""),
            ("Content-Disposition", "attachment; token=\(s)"),
            ("Server-Timing", "session;desc=\(s)"), ("Warning", "299 - \"password: \(s)\""),
            ("Cache-Control", "private=\"token=\(s)\""),
            ("X-Original-URL", "https://h/?token=\(s)"), ("Refresh", "0; url=https://h/?code=\(s)"),
        ]

    private static let requestFields: [SecretPlace] =
        (fields + [
            ("Authorization", "Bearer \(s)"), ("Authorization", "Token token=\(s)"),
            ("Proxy-Authorization", "Basic \(Data("me:\(s)".utf8).base64EncodedString())"),
            ("Cookie", "id=\(s); a=b"), ("Cookie2", s), ("Referer", "https://h/?token=\(s)"),
            ("Origin", "https://me:\(s)@h"), ("Accept", "a/b; token=\(s)"),
            ("Destination", "https://me:\(s)@h/"), ("Content-Type", "a/b; token=\(s)"),
        ])
        .map { name, value in
            SecretPlace(
                name: "request field \(name): \(value)",
                headers: [HTTPHeaderName(name): value]
            )
        }

    private static let responseFields: [SecretPlace] =
        (fields + [
            ("Set-Cookie", "id=\(s); HttpOnly"), ("Set-Cookie2", s),
            ("WWW-Authenticate", "Negotiate \(s)"),
            ("Location", "https://me:\(s)@h/?code=\(s)#\(s)"),
            ("Location", "//me:\(s)@h/?ticket=\(s)"), ("Location", "/cb#access_token=\(s)"),
            ("Proxy-Authenticate", "Basic realm=\"\(s)\""), ("X-Access-Token", s),
        ])
        .map { name, value in
            SecretPlace(
                name: "response field \(name): \(value)",
                responseFields: [(name, value)]
            )
        }

    private static let queries: [SecretPlace] =
        [
            "token", "access_token", "apiKey", "api key", "API.KEY", "code", "key", "sid", "sig",
            "ticket", "hmac", "hash", "url_hash", "csrf", "xsrf", "bearer", "password", "pwd",
            "pin",
            "otp", "auth", "session[id]", "user[password]", "X-Amz-Signature", "X-Amz-Credential",
            "X-Amz-Security-Token", "X-Goog-Signature", "AWSAccessKeyId", "SAMLResponse", "jwt",
            "client_secret", "code_verifier", "%74oken", "%2574oken", "pa%73sword", "id_token_hint",
        ]
        .map { SecretPlace(name: "query \($0)", query: [("page", "1"), ($0, s)]) }
        + [
            "https://me:\(s)@h/", "/cb?code=\(s)", #"{"token":"\#(s)"}"#, "password=\(s)",
            "a=1&sig=\(s)", "Authorization: Bearer \(s)", "https%3A%2F%2Fh%2F%3Fsig%3D\(s)",
        ]
        .map { SecretPlace(name: "query value \($0)", query: [("next", $0)]) }

    private static let addresses: [SecretPlace] = [
        SecretPlace(name: "userinfo in the base URL", user: "user:\(s)@"),
        SecretPlace(name: "matrix parameter", path: "place/a;jsessionid=\(s)"),
        SecretPlace(name: "encoded matrix parameter", path: "place/a;%2574oken=\(s)"),
        SecretPlace(name: "user in the path", path: "place/me:\(s)@h"),
        SecretPlace(name: "query in the path", path: "place?access_token=\(s)"),
    ]

    private static let form = "application/x-www-form-urlencoded"
    private static let parts = "multipart/form-data; boundary=B"

    private static let bodies: [SecretPlace] =
        [
            ("application/json", #"{"password":"\#(s)"}"#),
            ("application/json", #"{"a":[{"b":{"apiKey":["\#(s)",1]}}]}"#),
            ("application/json", #"{"bearer":"\#(s)","csrf":"\#(s)"}"#),
            ("application/json", #"["Authorization","Bearer \#(s)"]"#),
            ("application/json", #"{"args":["-v","--password","\#(s)"]}"#),
            ("application/json", #"[["Host","h"],["Cookie","id=\#(s)"]]"#),
            ("application/json", #"["token",["\#(s)",{"a":"\#(s)"}]]"#),
            ("application/json", #"{"name":"password","value":"\#(s)"}"#),
            ("application/json", #"{"value":"\#(s)","key":"apiKey"}"#),
            ("application/json", #"{"value":"\#(s)""#), ("application/json", #""\#(s)""#),
            ("application/json", #"{"pass\u0077ord":"\#(s)"}"#),
            ("application/json", #"{"a":"{\"password\":\"\#(s)\"}"}"#),
            ("application/json", #"{"u":"ftp://me:\#(s)@h/","r":"/cb?code=\#(s)"}"#),
            ("application/json", #"{"u":"https:///me:\#(s)@h/","v":"http://me:a/\#(s)@h"}"#),
            ("application/json", #"{"log":"sent Authorization: Bearer \#(s)"}"#),
            ("application/json", #"{"cmd":"run --token=\#(s) x"}"#),
            ("application/json", #"{"cert":"-----BEGIN PRIVATE KEY-----\n\#(s)\n-----END"}"#),
            ("application/json", #"{"xml":"<password>\#(s)</password>"}"#),
            ("application/json", #"{"csv":"user,password\nme,\#(s)"}"#),
            ("application/json", #"{"text":"see https://me:\#(s)@h/ and /cb?sig=\#(s)"}"#),
            ("application/json", #"{"form":"a=1&token=\#(s)"}"#),
            ("application/json", #"{"password":"\#(s)" "a"}"#),
            ("application/json", "{'pin':'\(s)'}"),
            ("application/json", s + "{"),
            ("application/json", String(repeating: "[", count: 600) + s),
            ("application/problem+json", #"{"detail":"token=\#(s)"}"#),
            ("application/x-ndjson", "{\"a\":1}\n{\"token\":\"\(s)\"}\n"),
            ("application/json-seq", "\u{1E}{\"pin\":\"\(s)\"}\n"),
            ("application/graphql-response+json", #"{"data":{"login":{"jwt":"\#(s)"}}}"#),
            (form, "password=\(s)&a=b"), (form, "a=b&user%5Bpassword%5D=\(s)"),
            (form, "%2574oken=\(s)"), (form, "ticket=\(s)&hmac=\(s)"), (form, s),
            (form, #"{"password":"\#(s)"}"#), (form, "a=%7B%22pin%22%3A%22\(s)%22%7D"),
            (form, "a=b;token=\(s)"), (form, "<pin>\(s)</pin>"), (form, "login me password \(s)"),
            (form, "next=https%3A%2F%2Fme%3A\(s)%40h%2F"), (form, "user,password\nme,\(s)"),
            (parts, "--B\r\nContent-Disposition: form-data; name=password\r\n\r\n\(s)\r\n--B--"),
            (parts, "--B\nContent-Disposition: form-data; name=password\n\n\(s)\n--B--"),
            (
                parts,
                "--B\r\nContent-Disposition: form-data; name*=UTF-8''pass%77ord\r\n\r\n\(s)\r\n--B--"
            ),
            (
                parts,
                "--B\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n\(s)\r\n--B--"
            ),
            (parts, "--B\r\nContent-Disposition: form-data; name=a\r\n\r\npin: \(s)\r\n--B--"),
            (parts, "--B\r\nContent-Type: text/csv\r\n\r\n\(s)\r\n--B--"),
            (parts, "--B\r\nContent-Type: application/json\r\n\r\n{\"pin\":\"\(s)\"}\r\n--B--"),
            (parts, "--B\r\nX-Custom: \(s)\r\n\r\na\r\n--B--"), (parts, "\(s)\r\n--B\r\n\r\n--B--"),
            (parts, "--C\r\nname=password\r\n\r\n\(s)\r\n--C--"),
            ("multipart/form-data", "--B\r\nA: b\r\n\r\n\(s)\r\n--B--"),
            ("multipart/mixed; boundary=B", "--B\r\n\r\n\(s)\r\n--B--"),
            ("text/plain", s), ("text/plain", "access_token=\(s)"), (nil, #"{"token":"\#(s)"}"#),
            ("text/plain", "machine h login me password \(s)"),
            ("application/x-pem-file", "-----BEGIN RSA PRIVATE KEY-----\n\(s)\n"),
            ("text/plain", "-----BEGIN PRIVATE KEY-----\n\(s)\n"), ("application/jwt", s),
            ("text/csv", "user,password\nme,\(s)\n"), ("application/yaml", "password:\n  \(s)\n"),
            ("application/toml", "[auth]\nvalue = \"\(s)\"\n"), ("text/x-ini", "[token]\nv=\(s)"),
            ("text/event-stream", "event: token\ndata: \(s)\n\n"),
            ("text/event-stream", "data: {\"token\":\"\(s)\"}\n\n"),
            ("application/xml", "<a><password>\(s)</password><b token='\(s)'/></a>"),
            ("text/xml", "<!DOCTYPE a [<!ENTITY pin '\(s)'>]><a/>"),
            ("application/soap+xml", "<wsse:Password>\(s)</wsse:Password>"),
            ("text/html", "<input name=csrf_token value='\(s)'>"),
            ("application/javascript", "var token = '\(s)'"), ("text/javascript", "jsonp('\(s)')"),
            ("application/x-sh", "export TOKEN=\(s)"), ("application/sql", "set password = '\(s)'"),
            ("application/octet-stream", s), ("image/png", "[{\"pin\":\"\(s)\"}]"), (nil, s),
            ("application/pkcs8", "\u{0}\u{1}\(s)"), ("application/cbor", "\u{68}password\(s)"),
            ("application/x-protobuf", "\n\u{8}password\(s)"), ("not a type", s),
        ]
        .enumerated()
        .map { index, body in
            SecretPlace(
                name: "body \(index) of \(body.0 ?? "no type")",
                headers: body.0.map { [.contentType: $0] } ?? [:],
                type: body.0,
                body: Data(body.1.utf8)
            )
        }

    /// JSON in which each letter has zeros beside it.
    private static let wideBodies: [SecretPlace] =
        [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32].enumerated()
        .map { index, encoding in
            SecretPlace(
                name: "wide text \(index)",
                headers: [.contentType: "application/json"],
                type: "application/json",
                body: #"{"password":"\#(s)"}"#.data(using: encoding) ?? Data()
            )
        }
}
