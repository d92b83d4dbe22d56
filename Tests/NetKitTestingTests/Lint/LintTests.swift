import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Lint")
struct LintTests {
    typealias Plain = DefaultRequest<Void, ServerMessage>

    /// A request, what is wrong with it, and what that is about.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let request: any Request
        var endpoint: Endpoint?
        let found: [Found]

        var testDescription: String { name }
    }

    /// A finding without its words.
    struct Found: Hashable, Sendable {
        let kind: RequestFinding.Kind
        let subject: String

        init(_ kind: RequestFinding.Kind, _ subject: String) {
            self.kind = kind
            self.subject = subject
        }
    }

    @Test("finds every kind of mistake, and nothing else", arguments: LintCases.mistakes)
    func mistakes(mistake: Case) {
        let findings = lint(mistake.request, on: mistake.endpoint)
        #expect(findings.map { Found($0.kind, $0.subject) } == mistake.found)
        #expect(findings.allSatisfy { !$0.reason.isEmpty && !$0.reason.contains("\n") })
    }

    @Test("finds nothing in a valid request", arguments: LintCases.clean)
    func clean(request: Case) {
        #expect(lint(request.request, on: request.endpoint) == [])
    }

    @Test("has a test case for each kind of finding")
    func kinds() {
        let found = LintCases.mistakes.flatMap(\.found).map(\.kind)
        #expect(Set(found) == Set(RequestFinding.Kind.allCases))
    }

    @Test("returns all findings of a request in a stable order")
    func order() {
        let findings = lint(LintCases.Careless(), on: LintCases.plainHTTP)
        #expect(
            findings.map(\.kind) == [
                .unsetParameter, .placeholderWithoutParameter, .dotSegments, .unexpectedBody,
                .multipleBodies, .bodyWithoutContentType, .conflictingHeader, .conflictingQuery,
                .secretInQuery, .credentialWithoutEncryption, .refusedHeader,
            ]
        )
        #expect(lint(LintCases.Careless(), on: LintCases.plainHTTP) == findings)
        let order = RequestFinding.Kind.allCases
        let places = findings.compactMap { order.firstIndex(of: $0.kind) }
        #expect(places == places.sorted())
    }

    @Test(
        "finds something in every request that the encoder rejects",
        arguments: LintCases.mistakes
    )
    func refusals(mistake: Case) throws {
        let endpoint = mistake.endpoint ?? LintCases.endpoint("https://host.test")
        do {
            _ = try endpoint.urlRequest(for: mistake.request)
        } catch {
            #expect(!lint(mistake.request, on: endpoint).isEmpty, "\(error)")
        }
    }

    @Test("uses the request's own endpoint by default")
    func ownEndpoint() throws {
        let request = Plain(
            path: "x",
            endpoint: LintCases.endpoint("http://host.test"),
            authToken: .bearer("t")
        )
        #expect(lint(request).map(\.kind) == [.credentialWithoutEncryption])
        #expect(lint(request, on: LintCases.endpoint("https://host.test")).isEmpty)
    }

    @Test("prints no values")
    func values() {
        let request = Plain(
            path: "x",
            queryParams: [("password", "hunter2")],
            headers: ["Authorization": "Bearer hunter2", "X-A": "hunter2\r\n"],
            authToken: .bearer("hunter2b")
        )
        let findings = lint(request, on: LintCases.plainHTTP)
        #expect(findings.count == 4)
        #expect(!"\(findings)".contains("hunter2"))
    }

    @Test("prints its kind and reason, and compares by all properties")
    func description() throws {
        let finding = try #require(lint(Plain(path: "users/{id}")).first)
        #expect(
            "\(finding)"
                == "placeholderWithoutParameter: no @Path fills {id} of the path"
        )
        let same = RequestFinding(
            kind: .placeholderWithoutParameter,
            subject: "id",
            reason: "no @Path fills {id} of the path"
        )
        #expect(Set([finding, same]).count == 1)
    }
}
