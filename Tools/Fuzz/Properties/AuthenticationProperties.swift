import Foundation

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

extension FuzzTarget {
    static let authentication = [
        FuzzTarget("challenge", AuthenticationProperties.challenge),
        FuzzTarget("credential", AuthenticationProperties.credential),
    ]
}

/// `WWW-Authenticate` and `Authorization`.
private enum AuthenticationProperties {
    /// Challenges read back as they are written; an answer can stand in a field.
    static func challenge(_ input: FuzzInput) throws {
        let challenges = AuthenticationChallenge.challenges(in: input.text)
        let written = challenges.map { challenge in
            if let token = challenge.token68 { return "\(challenge.scheme) \(token)" }
            let parameters = challenge.parameters.sorted { $0.key < $1.key }
                .map { "\($0.key)=\(QuotedString.quoting($0.value))" }
            return ([challenge.scheme] + [parameters.joined(separator: ", ")])
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
        let again = AuthenticationChallenge.challenges(in: written.joined(separator: ", "))
        try expect(again, is: challenges, "what is written reads back")
        guard let digest = DigestChallenge.strongest(in: input.text) else { return }
        let answer = DigestAnswer(
            user: DigestUser(name: "Jäsøn \"Doe\"", password: "planted"),
            challenge: digest,
            method: "GET",
            target: "/dir/index.html",
            count: 1,
            clientNonce: "f2wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        let value = answer.fieldValue
        try expect(
            !value.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F },
            "an answer can stand in a field"
        )
        try expect(
            value.utf8.contains(text: "planted"),
            is: input.bytes.contains(text: "planted"),
            "an answer has no password"
        )
        try expect(AuthenticationChallenge.challenges(in: value).count, is: 1, "an answer is one")
    }

    /// A token reads back from the field that it makes.
    static func credential(_ input: FuzzInput) throws {
        let token = AuthToken(input.text)
        guard let value = token.fieldValue else { return }
        try expect(AuthToken(value), is: token, "what is written reads back")
        let shown = "\(token)"
        try expect(shown.utf8.count < 64, "a token is not shown")
    }
}
