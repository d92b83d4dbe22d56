import Foundation
import NetKit
import NetKitCookies

/// The cookies of a jar, step by step.
struct CookieRule: Decodable {
    /// A response that sets cookies, or a request.
    struct Step: Decodable {
        /// Seconds since 1970.
        let at: Double
        /// The URL of a response, and its `Set-Cookie` fields.
        let from: URL?
        let set: [String]?
        /// The URL of a request.
        let to: URL?
    }

    let steps: [Step]

    /// Returns the cookies of every request, as in the `Cookie` field, and null for a response.
    func output() -> JSONValue {
        let jar = CookieJar()
        return .array(
            steps.map { step in
                let date = Date(timeIntervalSince1970: step.at)
                if let url = step.to {
                    let cookies = jar.cookies(for: url, at: date)
                    return .array(cookies.map { .string("\($0.name)=\($0.value)") })
                }
                if let url = step.from { jar.store(step.set ?? [], from: url, at: date) }
                return .null
            }
        )
    }
}
