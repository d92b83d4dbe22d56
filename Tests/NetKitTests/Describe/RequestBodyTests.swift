import Foundation
import Testing

@testable import NetKit

@Suite("Request body")
struct RequestBodyTests {
    @Test("is described without its contents")
    func description() {
        let bodies: [(RequestBody, String)] = [
            (.raw(Data("secret".utf8)), "raw (6 bytes)"), (.string("secret"), "string (6 bytes)"),
            (.params(["secret": "secret"]), "params (1)"), (.json("secret"), "json"),
            (.encodable("secret"), "encodable"), (.form([("secret", "secret")]), "form (1)"),
            (.file(URL(fileURLWithPath: "/secret/name.txt")), "file (name.txt)"),
            (
                .file(URL(fileURLWithPath: "/secret/name.txt"), range: 5..<20),
                "file (name.txt, bytes 5..<20)"
            ),
        ]
        for (body, expected) in bodies {
            #expect("\(body)" == expected)
            #expect(String(reflecting: body) == expected)
        }
    }
}
