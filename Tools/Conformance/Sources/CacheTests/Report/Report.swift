/// A run's results for people: a line for each suite, and each test that did not pass with its reason.
struct Report {
    let results: Results

    var text: String {
        [table, failures(.required), failures(.optimal), checks, wronglyImpossible]
            .filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    /// The totals, in one line.
    var totals: String {
        CacheTest.Kind.allCases
            .map { kind in
                let title = kind == .check ? "checks yes" : kind.rawValue
                return "\(title) \(results.passes(kind))/\(results.tests(kind).count)"
            }
            .joined(separator: ", ")
    }

    private var table: String {
        let suites = results.suites.filter { suite in
            CacheTest.Kind.allCases.contains { !results.tests($0, in: suite).isEmpty }
        }
        let rows = suites.map { Self.row($0.id, results, $0) }
        let header = Self.row(["suite", "required", "optimal", "checks yes"])
        return ([header] + rows + [Self.row("total", results, nil)]).joined(separator: "\n")
    }

    private static func row(_ title: String, _ results: Results, _ suite: TestSuite?) -> String {
        row(
            [title]
                + CacheTest.Kind.allCases.map { kind in
                    let count = results.tests(kind, in: suite).count
                    return count == 0 ? "" : "\(results.passes(kind, in: suite))/\(count)"
                }
        )
    }

    private static func row(_ cells: [String]) -> String {
        let first = cells[0].padding(18)
        let others = cells.dropFirst()
            .map { cell in
                String(repeating: " ", count: max(0, 12 - cell.count)) + cell
            }
        return first + others.joined()
    }

    private func failures(_ kind: CacheTest.Kind) -> String {
        let lines = results.tests(kind)
            .compactMap { test -> String? in
                let verdict = results.verdict(test.id)
                if verdict.isPass { return nil }
                let reason = ImpossibleTest.reasons[test.id].map { "; can't pass: \($0)" } ?? ""
                return "  \(test.id): \(verdict.title): \(message(test))\(reason)"
            }
        guard !lines.isEmpty else { return "" }
        return (["\(kind.rawValue), not passed: \(lines.count)"] + lines).joined(separator: "\n")
    }

    private func message(_ test: CacheTest) -> String {
        results.outcomes[test.id]?.message ?? "passed by itself"
    }

    private var checks: String {
        let tests = results.tests(.check)
        guard !tests.isEmpty else { return "" }
        let yes = tests.filter { results.verdict($0.id).isPass }
        let others = tests.filter { !results.verdict($0.id).isPass }
        let lines = others.map { test in
            "  \(test.id): \(results.verdict(test.id).title): \(message(test))"
        }
        return
            (["checks, yes: \(yes.count)"] + yes.map { "  \($0.id)" }
            + ["checks, no: \(others.count)"] + lines)
            .joined(separator: "\n")
    }

    /// Tests that pass although they are listed as impossible: the list is out of date then.
    private var wronglyImpossible: String {
        ImpossibleTest.reasons.keys.sorted().filter { results.verdict($0).isPass }
            .map { "\($0) passes, although it is listed as impossible" }
            .joined(separator: "\n")
    }
}

extension String {
    /// The text with blanks behind it, up to a width.
    fileprivate func padding(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
