/// Names that suggest that what they stand for is secret.
package enum SecretNames {
    /// Whether a name speaks of a secret, however its words are joined: `X-Api-Key`, `access_token`,
    /// `clientSecret`, `user[password]`.
    package static func suggests(_ name: String) -> Bool { suggests(name.utf8) }

    /// Whether a name in UTF-8 speaks of a secret, at one look-up a byte.
    static func suggests(_ name: some Sequence<UInt8>) -> Bool {
        var inner = WordTable.start
        var isFound = false
        let isWord = contains(whole, in: name) { byte in
            if let letter = WordTable.letter(byte) {
                inner = parts.step(inner, letter)
                if parts.accepts(inner) { isFound = true }
            } else if HTTPToken.allows(byte), !isJoint(byte) {
                inner = WordTable.start
            }
            return isFound
        }
        return isFound || isWord
    }

    /// Whether a number of that name counts or times something rather than being a secret: `max_tokens`, `tokenExpiresIn`.
    static func suggestsAmount(_ name: some Sequence<UInt8>) -> Bool {
        contains(amounts, in: name) { _ in false }
    }

    /// Whether one of a name's words is in a table; they begin with a capital, or behind what is no letter.
    ///
    /// - Parameters:
    ///   - table: The words.
    ///   - name: The name.
    ///   - isEnough: Sees each byte, and ends the search.
    /// - Returns: Whether one of the words stands in the name before the search ends.
    @inline(never)
    private static func contains(
        _ table: WordTable,
        in name: some Sequence<UInt8>,
        until isEnough: (UInt8) -> Bool
    ) -> Bool {
        var state = WordTable.start
        var wasLower = false
        for byte in name {
            if isEnough(byte) { return false }
            let letter = WordTable.letter(byte)
            let isUpper = letter != nil && byte & 0x20 == 0
            let isLetter = letter != nil || byte >= 0x80
            if !isLetter || isUpper && wasLower {
                if table.accepts(state) { return true }
                state = WordTable.start
            }
            if isLetter { state = letter.map { table.step(state, $0) } ?? WordTable.lost }
            wasLower = isLetter && !isUpper
        }
        return table.accepts(state)
    }

    /// `-`, `.` and `_`.
    private static func isJoint(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    /// What says it inside longer names too.
    private static let parts = WordTable(
        [
            "token", "secret", "password", "passwd", "passphrase", "passcode", "credential",
            "signature", "session",
            "apikey", "accesskey", "authkey", "privatekey", "subscriptionkey", "encryptionkey",
            "signingkey",
            "authorization", "oauth", "cookie", "jwt", "assertion", "codeverifier", "saml",
        ],
        anywhere: true
    )

    /// What says it as a word alone: there is `author`, `compass` and `spinning`.
    private static let whole = WordTable(
        ["auth", "otp", "pass", "pin", "pwd", "totp"],
        anywhere: false
    )

    private static let amounts = WordTable(
        [
            "tokens", "count", "expires", "expiry", "expiration", "ttl", "length", "size", "limit",
            "timeout", "age",
        ],
        anywhere: false
    )
}
