import Foundation
import NetKit
import NetKitConventions
import Testing

@Suite("Request attributes")
struct RequestAttributesTests {
    @Test(
        "have the host and port of a Host field in place of the URL's",
        arguments: [
            (nil, "10.0.0.1", 8080), ("API.example.com", "api.example.com", 443),
            ("api.example.com:8443", "api.example.com", 8443), ("[::1]:81", "::1", 81),
            ("a b", "10.0.0.1", 8080), ("", "10.0.0.1", 8080),
        ] as [(String?, String, Int)]
    )
    func hostOverride(field: String?, address: String, port: Int) throws {
        let url = try #require(URL(string: "https://10.0.0.1:8080/a"))
        var headers = HTTPHeaders()
        headers.allowsHostOverride = true
        headers[.host] = field
        let attributes = RequestAttributes(EncodedRequest(url: url, method: .get, headers: headers))
        #expect(attributes.address.filter { !"[]".contains($0) } == address)
        #expect(attributes.port == port && attributes.url == "https://10.0.0.1:8080/a")
    }

    @Test(
        "know the methods of a list in place of their own",
        arguments: [
            (" PURGE,GET ,,get", ["PURGE", "GET", "get"]), (nil, nil), ("", nil), (" , ", nil),
        ] as [(String?, Set<String>?)]
    )
    func knownMethods(list: String?, expected: Set<String>?) {
        let known = RequestAttributes.knownMethods(list)
        let standard = "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE"
        #expect(known == expected ?? Set(standard.split(separator: " ").map { "\($0)" }))
    }

    @Test("take this list from the environment")
    func environment() async {
        await #expect(processExitsWith: .success) {
            setenv("OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS", "PURGE,POST", 1)
            let url = try #require(URL(string: "http://127.0.0.1/a"))
            let methods = [HTTPMethod.custom("PURGE"), .post, .get]
                .map { method in
                    RequestAttributes(EncodedRequest(url: url, method: method)).method
                }
            #expect(methods == ["PURGE", "POST", "_OTHER"])
        }
    }
}
