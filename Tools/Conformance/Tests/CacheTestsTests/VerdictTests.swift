import NetKit
import Testing

@testable import CacheTests

@Suite struct VerdictTests {
    private func suite(_ tests: [JSONValue]) throws -> [TestSuite] {
        [try TestSuite(["id": "suite", "tests": .array(tests)])]
    }

    private func test(_ id: String, _ kind: String?, dependsOn: [JSONValue] = []) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "name": "a name", "requests": [],
            "depends_on": .array(dependsOn),
        ]
        members["kind"] = kind.map(JSONValue.string)
        return .object(members)
    }

    @Test(
        arguments: [
            (nil, .passed, Verdict.passed), ("optimal", .passed, .passed), ("check", .passed, .yes),
            (nil, .failed(.assertion("x")), .failed),
            ("optimal", .failed(.assertion("x")), .lessThanOptimal),
            ("check", .failed(.assertion("x")), .no), (nil, .failed(.setup("x")), .setupFailed),
            ("optimal", .failed(.setup("retry")), .retried),
            (nil, .failed(.error("TypeError", "x")), .failed),
            ("check", .failed(.error("AbortError", "x")), .harnessFailed),
            (nil, .failed(.error("UnknownForm", "x")), .harnessFailed),
        ] as [(String?, TestOutcome, Verdict)]
    )
    func `follows from the outcome and the kind`(
        kind: String?,
        outcome: TestOutcome,
        verdict: Verdict
    ) throws {
        let results = Results(try suite([test("a", kind)]), ["a": outcome])
        #expect(results.verdict("a") == verdict)
    }

    @Test func `counts no test whose dependency did not pass`() throws {
        let suites = try suite([
            test("a", "check"), test("b", nil, dependsOn: ["a"]), test("c", nil, dependsOn: ["b"]),
            test("d", nil, dependsOn: ["e"]), test("f", nil, dependsOn: ["f"]),
        ])
        let outcomes: [String: TestOutcome] = [
            "a": .failed(.assertion("x")), "b": .passed, "c": .passed, "d": .passed, "f": .passed,
        ]
        let results = Results(suites, outcomes)
        #expect(results.verdict("a") == .no)
        #expect(results.verdict("b") == .dependencyFailed("a"))
        #expect(results.verdict("c") == .dependencyFailed("b"))
        #expect(results.verdict("d") == .dependencyFailed("e"))
        #expect(results.verdict("f") == .dependencyFailed("f"))
        #expect(results.passes(.required) == 0)
        #expect(results.tests(.required).count == 4)
    }
}
