/// Names that suggest that what they stand for is secret.
package enum SecretNames {
    /// Whether a name speaks of a secret, however its words are joined: `X-Api-Key`, `access_token`,
    /// `clientSecret`.
    package static func suggests(_ name: String) -> Bool {
        let letters = name.lowercased().utf8.filter { HTTPToken.allows($0) && !joints.contains($0) }
        let plain = String(decoding: letters, as: UTF8.self)
        return words.contains { plain.contains($0) }
    }

    /// `-`, `.` and `_`.
    private static let joints: [UInt8] = [0x2D, 0x2E, 0x5F]

    private static let words = [
        "token", "secret", "password", "passwd", "passphrase", "credential", "signature", "session",
        "apikey", "accesskey", "authkey", "privatekey", "subscriptionkey", "authorization", "oauth",
        "cookie", "jwt",
    ]
}
