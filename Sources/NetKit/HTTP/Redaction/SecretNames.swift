/// Names that suggest that what they stand for is secret.
package enum SecretNames {
    /// Whether a name speaks of a secret, however its words are joined: `X-Api-Key`, `access_token`,
    /// `clientSecret`, `user[password]`.
    package static func suggests(_ name: String) -> Bool {
        let letters = name.lowercased().utf8.filter { HTTPToken.allows($0) && !joints.contains($0) }
        let plain = String(decoding: letters, as: UTF8.self)
        return parts.contains { plain.contains($0) }
            || words(of: name).contains { whole.contains($0) }
    }

    /// Whether a number of that name counts or times something rather than being a secret: `max_tokens`, `tokenExpiresIn`.
    static func suggestsAmount(_ name: String) -> Bool {
        words(of: name).contains { amounts.contains($0) }
    }

    /// The words of a name, in lower case: they begin with a capital, or behind what is no letter.
    private static func words(of name: String) -> [String] {
        var words: [[UInt8]] = [[]]
        var wasLower = false
        for byte in name.utf8 {
            let isUpper = (0x41...0x5A).contains(byte)
            let isLetter = isUpper || (0x61...0x7A).contains(byte) || byte >= 0x80
            if !isLetter || isUpper && wasLower { words.append([]) }
            if isLetter { words[words.count - 1].append(isUpper ? byte + 0x20 : byte) }
            wasLower = isLetter && !isUpper
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// `-`, `.` and `_`.
    private static let joints: [UInt8] = [0x2D, 0x2E, 0x5F]

    /// What says it inside longer names too.
    private static let parts = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "credential",
        "signature", "session",
        "apikey", "accesskey", "authkey", "privatekey", "subscriptionkey", "encryptionkey",
        "signingkey",
        "authorization", "oauth", "cookie", "jwt", "assertion", "codeverifier", "saml",
    ]

    /// What says it as a word alone: there is `author`, `compass` and `spinning`.
    private static let whole: Set<String> = ["auth", "otp", "pass", "pin", "pwd", "totp"]

    private static let amounts: Set<String> = [
        "tokens", "count", "expires", "expiry", "expiration", "ttl", "length", "size", "limit",
        "timeout", "age",
    ]
}
