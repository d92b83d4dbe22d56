import Foundation
import Testing

@testable import NetKit

@Suite("Body problem")
struct BodyProblemTests {
    private typealias Form = DefaultMultipartFormDataRequest<Void, ServerMessage>

    private struct Opaque: Sendable {}
    private struct Measures: Encodable, Sendable { let values: [Double] }
    private struct Broken: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }
    private struct Gone: MultipartResourceConvertible {
        func bodySource() throws -> BodySource { throw CancellationError() }
    }
    private struct TwoObjects: Request {
        typealias ResponseObjectType = Void
        let path = "p"
        let method: HTTPMethod = .post
        @Object var first = ["a": 1]
        @Object var second = ["b": 2]
    }
    private struct NumberAsForm: Request {
        typealias ResponseObjectType = Void
        let path = "p"
        let method: HTTPMethod = .post
        @Object(encoding: .form()) var number = 7
    }

    /// Refuses itself, in words of its own.
    private struct Wrong: Encodable, Sendable {
        struct Reason: LocalizedError { let errorDescription: String? = "no amount" }
        func encode(to encoder: any Encoder) throws { throw Reason() }
    }
    private struct WrongForm: Request {
        typealias ResponseObjectType = Void
        let path = "p"
        let method: HTTPMethod = .post
        @Object(encoding: .form()) var order = Wrong()
    }

    private static func file(
        _ resource: any MultipartResourceConvertible,
        _ name: String
    ) -> any MultipartFile {
        DefaultMultipartFile(resource: resource, mime: .binary, name: name, fileName: "f")
    }

    private static func post(_ body: RequestBody) -> Sample {
        Sample(path: "p", method: .post, body: body)
    }

    private static let requests: [(any Request, InvalidRequest.BodyProblem?)] = [
        (
            post(.params(["a": [1, Opaque()] as [any Sendable]])),
            .noJSONForm(type: "Opaque", keyPath: "a[1]")
        ),
        (post(.params(["n": Double.nan])), .noJSONForm(type: "Double", keyPath: "n")),
        (post(.json(["n": .number(.nan)])), .noJSONForm(type: "\(Decimal.self)", keyPath: "n")),
        (
            post(.encodable(Measures(values: [1, .infinity]))),
            .noJSONForm(type: "Double", keyPath: "values[1]")
        ),
        (post(.encodable(Data([1]))), .noJSONForm(type: "Data", keyPath: "")),
        (post(.encodable("{}")), .noJSONForm(type: "String", keyPath: "")),
        (post(.encodable(Optional("{}"))), .noJSONForm(type: "String", keyPath: "")),
        (post(.encodable(Broken())), .noJSONForm(type: "Broken", keyPath: "")),
        (TwoObjects(), .multipleBodies), (NumberAsForm(), .notAForm),
        (Form(path: "p", body: .string("t"), files: [file(Data(), "n")]), .notAForm),
        (
            Form(path: "p", body: .params(["k": Opaque()])),
            .noJSONForm(type: "Opaque", keyPath: "k")
        ),
        (Form(path: "p", files: [file(Data(), "a\0")]), .invalidPart(name: "a\0")),
        (Form(path: "p", files: [file(Gone(), "n")]), .invalidPart(name: "n")),
        (Sample(path: "p", body: .string("t")), .notAllowed(.get)),
        (Sample(path: "p", method: .trace, body: .string("t")), .notAllowed(.trace)),
        (Sample(path: "p", method: .custom("A B")), nil), (Sample(path: "https://"), nil),
    ]

    @Test("carries the reason for a rejected body as data", arguments: requests)
    func problems(request: any Request, expected: InvalidRequest.BodyProblem?) throws {
        let invalid = try #require(try SampleEndpoint().invalid(request))
        #expect(invalid.bodyProblem == expected)
    }

    @Test(
        "says what is wrong with a rejected body",
        arguments: [
            (TwoObjects(), "body: two bodies"), (NumberAsForm(), "body: Int has no member names"),
            (
                Form(path: "p", body: .string("t"), files: [file(Data(), "n")]),
                "body: a body next to files must be a form"
            ),
            (Form(path: "p", files: [file(Data(), "a\0")]), "body: a part's name with a NUL"),
            (Form(path: "p", files: [file(Gone(), "a\n")]), "body: a\\n: CancellationError"),
            (post(.encodable(Wrong())), "body: value (Wrong) has no JSON form: no amount"),
            (WrongForm(), "body: value (Wrong) has no JSON form: no amount"),
        ] as [(any Request, String)]
    )
    func words(request: any Request, expected: String) throws {
        #expect(try SampleEndpoint().invalid(request)?.message == expected)
    }

    @Test("reports a sequence that differs from its announced length")
    func lengths() async throws {
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data(count: 3))
            continuation.finish()
        }
        let sequence = BodySequence(pieces, length: 4).once()
        let invalid = await #expect(throws: InvalidRequest.self) {
            try await sequence.forEach { _ in }
        }
        #expect(invalid?.bodyProblem == .wrongLength(3, announced: 4))
        let again = await #expect(throws: InvalidRequest.self) {
            try await sequence.forEach { _ in }
        }
        #expect(again?.bodyProblem == .notReplayable)
    }
}
