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
    /// A word begins with a capital letter next to a small one, or after a character that isn't a letter.
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
        // The state before the last letter and after it, if it can begin a word behind capitals: `OTPCode`.
        var capital: (end: Int, start: Int)?
        var (wasLower, wasUpper) = (false, false)
        for byte in name {
            if isEnough(byte) { return false }
            let letter = WordTable.letter(byte)
            let isUpper = letter != nil && byte & 0x20 == 0
            let isLetter = letter != nil || byte >= 0x80
            if !isLetter || isUpper && wasLower {
                if table.accepts(state) { return true }
                state = WordTable.start
            } else if let capital, !isUpper {
                if table.accepts(capital.end) { return true }
                state = capital.start
            }
            capital = nil
            if let letter {
                if isUpper, wasUpper {
                    capital = (end: state, start: table.step(WordTable.start, letter))
                }
                state = table.step(state, letter)
            } else if isLetter {
                state = WordTable.lost
            }
            (wasLower, wasUpper) = (isLetter && !isUpper, isUpper)
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

extension FoldedName {
    /// Whether header fields with this name are always secret, even if they aren't marked sensitive.
    package var isCredential: Bool { Self.credentials.contains(self) }

    private static let credentials: [FoldedName] = [
        "Authorization", "Cookie", "Proxy-Authorization", "Set-Cookie", "Cookie2",
    ]

    /// Whether the name suggests a credential, which is removed at other origins.
    package var soundsSecret: Bool {
        isCredential || !isHarmless && SecretNames.suggestsCredential(text)
    }

    /// Whether header fields with this name hold no secrets, so that their values are shown.
    package var isHarmless: Bool { Self.harmless.contains(self) }

    private static let harmless = Set<FoldedName>(
        """
        Accept Accept-Charset Accept-Encoding Accept-Language Accept-Patch Accept-Post Accept-Ranges
        Access-Control-Allow-Credentials Access-Control-Allow-Headers Access-Control-Allow-Methods
        Access-Control-Allow-Origin Access-Control-Expose-Headers Access-Control-Max-Age
        Access-Control-Request-Headers Access-Control-Request-Method Age Allow Alt-Svc Cache-Control
        Cache-Status Connection Content-Disposition Content-Encoding Content-Language Content-Length
        Content-Location Content-Range Content-Type Date Deprecation ETag Expect Expires Host
        Idempotency-Key If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since
        Keep-Alive Last-Event-ID Last-Modified Link Location Max-Forwards Origin Pragma Prefer
        Preference-Applied Priority Range RateLimit RateLimit-Limit RateLimit-Policy
        RateLimit-Remaining RateLimit-Reset Referer Retry-After Server Server-Timing
        Strict-Transport-Security Sunset TE Traceparent Trailer Transfer-Encoding Upgrade User-Agent
        Vary Via Warning X-Correlation-ID X-HTTP-Method-Override X-RateLimit-Limit
        X-RateLimit-Remaining X-RateLimit-Reset X-Request-ID X-Requested-With X-Total-Count
        """
        .split { $0.isWhitespace }.map { FoldedName(String($0)) }
    )
}

/// A state machine that finds words letter by letter, with one table lookup per letter.
struct WordTable: Sendable {
    /// The state at the start of a text.
    static let start = 0
    /// The state after letters that begin none of the words.
    static let lost = 1

    /// The next states, in 26 columns per state.
    ///
    /// Contains -1 only during construction.
    private var next: [Int]
    private var isEnd: [Bool]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - words: The words, in lowercase ASCII letters.
    ///   - anywhere: Whether a word can begin anywhere in the text (the Aho–Corasick algorithm), or only at its start.
    init(_ words: [String], anywhere: Bool) {
        next = Array(repeating: -1, count: 26) + Array(repeating: Self.lost, count: 26)
        isEnd = [false, false]
        for word in words {
            var state = Self.start
            for byte in word.utf8 {
                guard let letter = Self.letter(byte) else { continue }
                state = child(of: state, letter)
            }
            isEnd[state] = true
        }
        if anywhere {
            linkSuffixes()
        } else {
            next = next.map { $0 < 0 ? Self.lost : $0 }
        }
    }

    /// Returns the letter's column, or nil if the byte isn't an ASCII letter.
    static func letter(_ byte: UInt8) -> Int? {
        let folded = byte | 0x20
        return (0x61...0x7A).contains(folded) ? Int(folded) - 0x61 : nil
    }

    /// Returns the state after a letter.
    func step(_ state: Int, _ letter: Int) -> Int { next[state * 26 + letter] }

    /// Whether a word ends in this state.
    func accepts(_ state: Int) -> Bool { isEnd[state] }

    private mutating func child(of state: Int, _ letter: Int) -> Int {
        let place = state * 26 + letter
        if next[place] < 0 {
            next[place] = isEnd.count
            next += Array(repeating: -1, count: 26)
            isEnd.append(false)
        }
        return next[place]
    }

    /// Links each state to that of its longest suffix that begins another word.
    private mutating func linkSuffixes() {
        var suffix = Array(repeating: Self.start, count: isEnd.count)
        var queue = [Self.start]
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            for letter in 0..<26 {
                let other = state == Self.start ? Self.start : next[suffix[state] * 26 + letter]
                let place = state * 26 + letter
                let child = next[place]
                guard child >= 0 else {
                    next[place] = other
                    continue
                }
                suffix[child] = other
                if isEnd[other] { isEnd[child] = true }
                queue.append(child)
            }
        }
    }
}
