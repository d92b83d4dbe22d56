/// A classifier for names that suggest a secret.
package enum SecretNames {
    /// Whether a name suggests a secret, such as `X-Api-Key`, `access_token` or `user[password]`.
    ///
    /// The separators between words don't matter.
    package static func suggests(_ name: String) -> Bool { suggests(name.utf8) }

    /// Whether a UTF-8 name suggests a secret, with one table lookup per byte.
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

    /// Whether a name suggests a secret in a query or a form.
    ///
    /// In a body, `code` is usually an error code, and `hash` that of a file.
    static func suggestsInQuery(_ name: some Collection<UInt8>) -> Bool {
        // Only whole names, because of `postcode` and `sort_key`.
        let isExact =
            name.count < 5
            && ["code", "key", "sid"]
                .contains { name.lazy.map { HTTPToken.folded($0) }.elementsEqual($0.utf8) }
        return isExact || contains(queryWords, in: name) { _ in false }
    }

    /// Whether the name of a header field suggests a credential.
    ///
    /// Besides secrets, it finds any key, because the values of other fields are redacted anyway.
    static func suggestsCredential(_ name: String) -> Bool {
        var state = WordTable.start
        for byte in name.utf8 {
            guard let letter = WordTable.letter(byte) else { continue }
            state = fieldParts.step(state, letter)
            if fieldParts.accepts(state) { return true }
        }
        return suggests(name)
    }

    /// Whether a number with this name is an amount or a duration: `max_tokens`, `tokenExpiresIn`.
    static func suggestsAmount(_ name: some Sequence<UInt8>) -> Bool {
        contains(amounts, in: name) { _ in false }
    }

    /// Whether a table contains one of the name's words.
    ///
    /// A word begins with a capital letter, or after a character that isn't a letter.
    ///
    /// - Parameters:
    ///   - table: The words.
    ///   - name: The name.
    ///   - isEnough: A closure that receives each byte and returns true to end the search.
    /// - Returns: True if the name contains one of the words before the search ends.
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

    /// Whether the byte is `-`, `.` or `_`.
    private static func isJoint(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    /// Words that suggest a secret also inside longer words.
    private static let parts = WordTable(
        [
            "token", "secret", "password", "passwd", "passphrase", "passcode", "credential",
            "signature", "session",
            "apikey", "accesskey", "authkey", "privatekey", "subscriptionkey", "encryptionkey",
            "signingkey",
            "authorization", "oauth", "cookie", "jwt", "assertion", "codeverifier", "saml",
            "bearer", "csrf", "hmac", "xsrf",
        ],
        anywhere: true
    )

    /// Words that suggest a secret only as whole words, because of `author`, `compass` and `spinning`.
    private static let whole = WordTable(
        ["auth", "otp", "pass", "pin", "pwd", "sig", "totp"],
        anywhere: false
    )

    private static let queryWords = WordTable(["hash", "ticket"], anywhere: false)

    /// Words that suggest a credential anywhere in the name of a header field.
    private static let fieldParts = WordTable(["auth", "key", "pass"], anywhere: true)

    private static let amounts = WordTable(
        [
            "tokens", "count", "expires", "expiry", "expiration", "ttl", "length", "size", "limit",
            "timeout", "age",
        ],
        anywhere: false
    )
}
