import Foundation
import NetKit
import NetKitCookies

/// The dates of `Expires` in `Set-Cookie`.
struct CookieDateRule: Decodable {
    let texts: [String]

    /// Returns the seconds since 1970 of each text, or null for one that isn't a date.
    func output() throws -> JSONValue {
        guard let url = URL(string: "http://example.com/") else { return .null }
        // The end of the year 9999. A lifetime is limited from there, so that no date is too late.
        let latest = Date(timeIntervalSince1970: 253_402_300_799)
        return .array(
            texts.map { text in
                let cookie = Cookie(setCookie: "a=b; Expires=\(text)", from: url, at: latest)
                guard let date = cookie?.expires else { return .null }
                return .number(Decimal(Int(date.timeIntervalSince1970)))
            }
        )
    }
}
