import Testing

@testable import NetKit

@Suite("Invalid request")
struct InvalidRequestTests {
    @Test(
        "says what is wrong in one lower-case line",
        arguments: [
            (.missingEndpoint, "no endpoint: neither the request nor Endpoint.default names one"),
            (.invalidURL("ftp://h"), #"no valid http or https URL: "ftp://h""#),
            (.invalidMethod("A\r\nB"), #"the method cannot be sent: "A\r\nB""#),
            (.invalidHeader(name: "X\nY"), #"the header field cannot be sent: "X\nY""#),
            (
                .missingPathParameter("id"),
                #"the path parameter and its placeholder do not meet: "id""#
            ),
            (.unsafePathParameter("id"), #"the path parameter is not one segment: "id""#),
            (.unsetParameter("q"), #"the parameter has no value: "q""#),
            (.unsetParameter(""), "a parameter of the body has no value"),
            (.unencodableParameter("q"), #"the parameter has no text form: "q""#),
            (
                .mistypedProperty(name: "timeout", type: "Double", expected: "TimeInterval?"),
                #"the property would be ignored: "timeout" is declared as Double; "#
                    + "declare it as TimeInterval?"
            ),
            (.unreadableFile("/a\nb"), #"the file cannot be read: "/a\nb""#),
            (.unencodableBody("a.b[1]"), #"the body cannot be encoded, at "a.b[1]""#),
            (.unencodableBody(""), "the body cannot be encoded"),
        ] as [(InvalidRequest.Reason, String)]
    )
    func descriptions(reason: InvalidRequest.Reason, expected: String) {
        #expect("\(InvalidRequest(reason))" == expected)
        #expect(InvalidRequest(reason).bodyProblem == nil)
    }

    @Test("names the type that has no JSON form")
    func types() {
        let invalid = InvalidRequest(
            Unencodable(1.5, at: []).inside(key: "b").inside(index: 2),
            below: "a"
        )
        #expect(invalid.reason == .unencodableBody("a[2].b"))
        #expect(invalid.bodyProblem == .noForm(type: "Double", keyPath: "a[2].b"))
        #expect(
            invalid.message
                == #"the body cannot be encoded, at "a[2].b": Double has no JSON form"#
        )
    }
}
