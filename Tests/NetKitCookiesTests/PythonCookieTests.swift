import Foundation
import Testing

@testable import NetKit
@testable import NetKitCookies

/// What `Tools/scripts/generate cookies` has Python's `http.cookiejar` say.
@Suite("Cookie jar compared with Python's")
struct PythonCookieTests {
    /// What happens at a moment: a response sets cookies, or a request is sent with some.
    private struct Step: Decodable {
        let at: Double
        let from: URL?
        let set: [String]?
        let to: URL?
        let sent: [String]?
    }

    @Test("sends the same cookies", arguments: pythonCases.split(separator: "\n").map(String.init))
    func cases(text: String) throws {
        let jar = CookieJar()
        for step in try JSONDecoder().decode([Step].self, from: Data(text.utf8)) {
            let date = Date(timeIntervalSince1970: step.at)
            if let from = step.from, let set = step.set {
                jar.store(set, from: from, at: date)
            } else if let to = step.to, let sent = step.sent {
                // Python orders cookies by their paths' lengths alone.
                let cookies = jar.cookies(for: to, at: date)
                    .sorted { ($1.path.count, $0.pair) < ($0.path.count, $1.pair) }
                #expect(cookies.map(\.pair) == sent, "\(to) at \(step.at)")
            } else {
                Issue.record("neither a response nor a request")
            }
        }
    }

    @Test("compares more than 300 cases with cookies")
    func count() {
        #expect(pythonCases.components(separatedBy: #""sent":[""#).count > 300)
    }
}
