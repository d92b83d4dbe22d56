// Which header fields are shown, and which are removed on requests to another origin.

extension HTTPHeaderName {
    /// Whether the name suggests a credential, which is removed at other origins.
    package var soundsSecret: Bool {
        isCredential || !isHarmless && SecretNames.suggestsCredential(rawName)
    }

    /// Whether fields with this name hold no secrets, so that their values are shown.
    var isHarmless: Bool { Self.harmless.contains(self) }

    private static let harmless = Set<HTTPHeaderName>(
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
        .split { $0.isWhitespace }.map { HTTPHeaderName(String($0)) }
    )
}

extension HTTPHeaders {
    /// Returns the fields to remove on requests to another origin.
    ///
    /// They are the fields that are marked sensitive, have a secret's name, or are meant only for the first origin.
    ///
    /// - Parameter names: The names of additional secret fields.
    /// - Returns: The names of the fields in this collection.
    package func credentials(hiding names: Set<HTTPHeaderName>) -> [HTTPHeaderName] {
        fields.filter { field in
            field.isSensitive || field.staysHome || field.name.soundsSecret
                || names.contains(field.name)
        }
        .map(\.name)
    }

    /// Returns the fields that can be sent to another origin.
    ///
    /// - Parameter names: The names of additional secret fields. Defaults to none.
    /// - Returns: All fields except credentials.
    package func withoutCredentials(hiding names: Set<HTTPHeaderName> = []) -> HTTPHeaders {
        var rest = self
        let secrets = Set(credentials(hiding: names))
        rest.removeFields { secrets.contains($0.name) }
        rest.tokenMark = nil
        return rest
    }
}

extension HTTPHeaders: Concealed {
    /// The fields, with the values of harmless fields only.
    public var description: String {
        fields.map { "\($0.name): \(shown($0))" }.joined(separator: ", ")
    }

    private func shown(_ field: Field) -> String {
        Redaction.secrets.shown(field.value, of: field.name, in: self)
    }
}
