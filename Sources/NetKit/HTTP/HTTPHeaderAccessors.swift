extension HTTPHeaders {
    /// The media type of the content, or nil if the field is missing or invalid.
    public var contentType: MimeType? {
        get { self[.contentType].flatMap { MimeType($0) } }
        set { self[.contentType] = newValue?.rawValue }
    }

    /// The accepted media type, or nil if the field is missing, invalid or a list.
    public var accept: MimeType? {
        get { self[.accept].flatMap { MimeType($0) } }
        set { self[.accept] = newValue?.rawValue }
    }

    /// The value of `Accept-Language`.
    public var language: String? {
        get { self[.acceptLanguage] }
        set { self[.acceptLanguage] = newValue }
    }

    /// The credential that identifies the client, or nil to remove it.
    ///
    /// A new value replaces an earlier credential, even one in a different field, and marks its field sensitive.
    public var authToken: AuthToken? {
        get { tokenMark ?? self[.authorization].map { AuthToken($0) } }
        set {
            if let name = authTokenFieldName { remove(name) }
            tokenMark = nil
            guard let newValue else { return }
            if let value = newValue.fieldValue {
                set(newValue.fieldName, to: value, isSensitive: true)
            }
            tokenMark = newValue
        }
    }

    /// The header field that carries the credential, or nil without a credential.
    var authTokenFieldName: HTTPHeaderName? {
        tokenMark?.fieldName ?? (self[.authorization] == nil ? nil : .authorization)
    }
}

// MARK: - Validation

extension HTTPHeaders {
    /// Whether ``authToken`` is a credential that can't be sent.
    package var invalidAuthToken: Bool {
        tokenMark.map { $0.fieldValue == nil } ?? false
    }

    /// Trims spaces and tabs around values, which have no meaning (RFC 9110, section 5.5).
    ///
    /// URLSession on Linux omits fields that contain nothing else.
    package mutating func trimValues() {
        changeValues { value in
            let trimmed = value.trimmedOfBlanks
            return trimmed.utf8.count == value.utf8.count ? nil : trimmed
        }
    }
}

extension HTTPHeaders.Field {
    /// Whether the field can be sent (RFC 9110, section 5.5).
    ///
    /// The name must be a token, and the value must not contain control characters other than tabs.
    var isValid: Bool { name.rawName.isHTTPToken && value.isFieldValue }
}

extension String {
    /// Whether a header field can carry the text: it contains no control characters except tabs.
    package var isFieldValue: Bool {
        !utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }
}

extension String {
    /// The text without leading and trailing spaces and tabs.
    package var trimmedOfBlanks: String {
        guard let first = utf8.first, let last = utf8.last,
            first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09
        else { return self }
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
        let start = unicodeScalars.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(start[...last]))
    }
}
