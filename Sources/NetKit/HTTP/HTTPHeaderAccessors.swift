extension HTTPHeaders {
    /// The media type of the content; nil also where the field's value is none.
    public var contentType: MimeType? {
        get { self[.contentType].flatMap { MimeType($0) } }
        set { self[.contentType] = newValue?.rawValue }
    }

    /// The media type that is asked for; nil also where the field's value is a list of several.
    public var accept: MimeType? {
        get { self[.accept].flatMap { MimeType($0) } }
        set { self[.accept] = newValue?.rawValue }
    }

    /// The value of `Accept-Language`.
    public var language: String? {
        get { self[.acceptLanguage] }
        set { self[.acceptLanguage] = newValue }
    }

    /// What the client identifies itself with; set to nil to remove it.
    ///
    /// Setting replaces an earlier token, also one in another field, and marks the field sensitive.
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

    /// The field that carries the token, nil without a token.
    var authTokenFieldName: HTTPHeaderName? {
        tokenMark?.fieldName ?? (self[.authorization] == nil ? nil : .authorization)
    }
}

// MARK: - Before sending

extension HTTPHeaders {
    /// Whether ``authToken`` is one that cannot be sent.
    package var invalidAuthToken: Bool {
        tokenMark.map { $0.fieldValue == nil } ?? false
    }

    /// Leaves out spaces and tabs around values, which mean nothing there (RFC 9110, section 5.5).
    ///
    /// URLSession on Linux leaves out a whole field of nothing else.
    package mutating func trimValues() {
        changeValues { value in
            guard let first = value.utf8.first, let last = value.utf8.last,
                first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09
            else { return nil }
            return value.trimmedOfBlanks
        }
    }
}

extension HTTPHeaders.Field {
    /// Whether the field can be sent: its name is a token, and its value has no control character other than a tab
    /// (RFC 9110, section 5.5), such as one that would end the line.
    var isValid: Bool { name.rawName.isHTTPToken && value.isFieldValue }
}

extension String {
    /// Whether a header field can carry the text: it has no control character other than a tab.
    var isFieldValue: Bool {
        !utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }
}

extension String {
    /// The text without spaces and tabs at its ends.
    var trimmedOfBlanks: String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
        let start = unicodeScalars.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(start[...last]))
    }
}
