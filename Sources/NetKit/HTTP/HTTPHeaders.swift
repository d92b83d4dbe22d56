import NetKitSupport

/// An ordered collection of header fields with case-insensitive names.
///
/// Setting a name, even in a literal, replaces its fields and keeps the position of the first. ``append(_:for:)`` adds
/// another field of the same name (RFC 9110, section 5.3). Iteration visits every field. The subscript joins the
/// values of one name, except for `Set-Cookie`.
///
/// You can mark a field as sensitive. Its value is then redacted, unless the redaction is ``Redaction/none``. A
/// redirect to another origin drops the field. `Authorization`, `Cookie`, `Set-Cookie` and `Proxy-Authorization`
/// are always sensitive. Names that indicate a secret, such as `X-Api-Key`, are treated the same way.
///
/// Two collections are equal if they have the same names and values. The order of names and the marks don't matter. The
/// order of one name's values does.
public struct HTTPHeaders: Hashable, Sendable {
    package struct Field: Equatable, Sendable {
        package var name: HTTPHeaderName
        package var value: String
        package var isSensitive: Bool
        /// Whether to remove the field on requests to another origin, even if it isn't secret.
        var staysHome = false
    }

    private var stored: [Field] = []
    /// The index of each name's first field in ``stored``, kept only for large collections.
    private var places: [HTTPHeaderName: Int] = [:]
    /// Whether several fields can have the same name.
    private var hasRepeats = false
    /// The original fields, until the first change.
    private var deferred: (any DeferredFields)?
    /// The value of ``authToken`` as it was set, until its field is set otherwise.
    var tokenMark: AuthToken?
    /// Whether a `Host` field can override the URL's host.
    ///
    /// Defaults to false, which refuses a request with a `Host` field. The field's authority also decides about the cookies
    /// of a ``CookieJar`` and about stored responses.
    public var allowsHostOverride = false

    /// Creates an empty collection.
    public init() {}

    /// Creates fields from a dictionary, sorted by name.
    ///
    /// - Parameter dictionary: Names and values.
    @_disfavoredOverload
    public init(_ dictionary: [HTTPHeaderName: String]) {
        for rawName in dictionary.keys.map(\.rawName).sorted() {
            let name = HTTPHeaderName(rawName)
            self[name] = dictionary[name]
        }
    }

    /// Creates fields from a dictionary, sorted by name.
    ///
    /// - Parameter dictionary: Names and values. Of names that differ only in case, the last in order counts.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            self[HTTPHeaderName(name)] = value
        }
    }

    /// Creates fields in the given order.
    ///
    /// - Parameter fields: Names and values. A later value replaces an earlier one of the same name.
    public init(_ fields: some Sequence<(HTTPHeaderName, String)>) {
        stored.reserveCapacity(fields.underestimatedCount)
        for (name, value) in fields { set(name, to: value) }
    }

    /// Creates fields that stay in another object until the first change.
    package init(_ deferred: any DeferredFields) {
        self.deferred = deferred
    }

    package var fields: [Field] {
        guard let deferred else { return stored }
        return deferred.all.map { Field(name: $0.name, value: $0.value, isSensitive: false) }
    }

    /// Whether a value isn't safe to use, see ``CombiningMarks``.
    ///
    /// Deferred fields are checked when they are read: those of `URLSession` would have to be copied.
    var hasTooManyMarks: Bool { stored.contains { CombiningMarks.areTooMany(in: $0.value.utf8) } }

    /// Whether several fields can have the same name, deferred ones included.
    private var mayRepeat: Bool { hasRepeats || deferred != nil }

    /// The value of a field, or nil to remove it.
    ///
    /// Several values are joined by ", ", or by "; " for `Cookie`. The values of `Set-Cookie` can't be joined, so the
    /// subscript returns the first (RFC 9110, section 5.3). Setting replaces all values of the name, and a field marked
    /// sensitive stays marked.
    ///
    /// - Parameter name: The field's name, in any case.
    public subscript(name: HTTPHeaderName) -> String? {
        @inline(never) get {
            if let deferred { return deferred.value(of: name) }
            guard let index = index(of: name) else { return nil }
            guard hasRepeats, name != .setCookie else { return stored[index].value }
            return Self.joined(values(for: name), of: name)
        }
        set {
            guard let newValue else { return remove(name) }
            put(Field(name: name, value: newValue, isSensitive: false), keepingMark: true)
        }
    }

    /// Returns all values of a name, in field order.
    ///
    /// Most names have one value. URLSession joins the fields of a response, so for `Set-Cookie` NetKit splits them
    /// again.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: The values, empty without such a field.
    public func values(for name: HTTPHeaderName) -> [String] {
        if let deferred { return deferred.values(of: name) }
        guard let index = index(of: name) else { return [] }
        guard hasRepeats else { return [stored[index].value] }
        return stored[index...].filter { $0.name == name }.map(\.value)
    }

    /// Adds a field at the end, and keeps other fields of the same name.
    ///
    /// If one of those is marked sensitive, so is the new field.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - name: The field's name, sent with this spelling.
    public mutating func append(_ value: String, for name: HTTPHeaderName) {
        takeOver()
        insert(Field(name: name, value: value, isSensitive: false))
    }

    /// Sets a field, and replaces all fields of the same name.
    ///
    /// - Parameters:
    ///   - name: The field's name, sent with this spelling.
    ///   - value: The field's value.
    ///   - isSensitive: Whether the value is secret. Defaults to false.
    public mutating func set(_ name: HTTPHeaderName, to value: String, isSensitive: Bool = false) {
        put(Field(name: name, value: value, isSensitive: isSensitive), keepingMark: false)
    }

    /// Sets a field that is removed on requests to another origin.
    mutating func setAtHome(_ name: HTTPHeaderName, to value: String, isSensitive: Bool) {
        let field = Field(name: name, value: value, isSensitive: isSensitive, staysHome: true)
        put(field, keepingMark: false)
    }

    /// Marks the fields whose names are marked in `earlier`, and allows a `Host` field if `earlier` does.
    mutating func keepMarks(of earlier: HTTPHeaders) {
        if earlier.allowsHostOverride { allowsHostOverride = true }
        let marked = earlier.fields.filter { $0.isSensitive || $0.staysHome }
        guard !marked.isEmpty else { return }
        takeOver()
        for index in stored.indices {
            for old in marked where old.name == stored[index].name {
                if old.isSensitive { stored[index].isSensitive = true }
                if old.staysHome { stored[index].staysHome = true }
            }
        }
    }

    /// Marks all fields of some names as sensitive.
    mutating func markSensitive(_ names: Set<HTTPHeaderName>) {
        takeOver()
        for index in stored.indices where names.contains(stored[index].name) {
            stored[index].isSensitive = true
        }
    }

    /// Removes all fields of a name.
    ///
    /// - Parameter name: The field's name, in any case.
    @inline(never)
    mutating func remove(_ name: HTTPHeaderName) {
        takeOver()
        if let index = index(of: name) {
            if hasRepeats { removeFields { $0.name == name } } else { removeField(at: index) }
        }
        if tokenMark?.fieldName == name { tokenMark = nil }
    }

    /// Removes the only field of a name, without hashing other names.
    private mutating func removeField(at index: Int) {
        places[stored.remove(at: index).name] = nil
        if stored.count > Self.fewFields {
            for place in places.values.indices where places.values[place] > index {
                places.values[place] -= 1
            }
        } else {
            places = [:]
        }
    }

    /// Removes all fields that match a predicate, in one pass.
    @inline(never)
    package mutating func removeFields(where isRemoved: (Field) -> Bool) {
        takeOver()
        stored.removeAll(where: isRemoved)
        places = [:]
        findPlaces()
    }

    /// Whether a field's value is secret, because of its mark or its name.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: True for a secret field, and for a name that is always secret, even without such a field.
    public func isSensitive(_ name: HTTPHeaderName) -> Bool {
        name.isCredential || index(of: name).map { stored[$0].isSensitive } ?? false
    }

    /// Returns the fields merged with others, which take precedence.
    ///
    /// - Parameter other: The fields that replace those of the same name.
    /// - Returns: The merged fields. A field marked sensitive in either collection is marked in the result.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        if isBlank { return other }
        if other.isBlank { return self }
        var merged = self
        // A credential replaces the earlier one, even in a different field. A plain field doesn't, because a request
        // can carry both a gateway's API key and an Authorization field.
        if let token = other.tokenMark, let own = authTokenFieldName, own != token.fieldName {
            merged.remove(own)
        }
        var names: Set<HTTPHeaderName> = []
        for field in other.fields {
            let isRepeat = other.mayRepeat && !names.insert(field.name).inserted
            if isRepeat { merged.insert(field) } else { merged.put(field, keepingMark: true) }
        }
        if let mark = other.tokenMark { merged.tokenMark = mark }
        merged.allowsHostOverride = allowsHostOverride || other.allowsHostOverride
        return merged
    }

    /// Whether there is neither a field nor anything else that merging keeps.
    var isBlank: Bool {
        stored.isEmpty && tokenMark == nil && !allowsHostOverride
            && (deferred == nil || fields.isEmpty)
    }

    private mutating func put(_ field: Field, keepingMark: Bool) {
        takeOver()
        if let index = index(of: field.name) {
            let old = stored[index]
            stored[index] = field
            if keepingMark, old.isSensitive { stored[index].isSensitive = true }
            if keepingMark, old.staysHome { stored[index].staysHome = true }
            if hasRepeats { removeRepeats(of: field.name, behind: index) }
        } else {
            stored.append(field)
            findPlaces()
        }
        if tokenMark?.fieldName == field.name { tokenMark = nil }
    }

    /// Adds a field next to those of the same name, and inherits their marks.
    private mutating func insert(_ field: Field) {
        var field = field
        if let index = index(of: field.name) {
            hasRepeats = true
            if stored[index].isSensitive { field.isSensitive = true }
            if stored[index].staysHome { field.staysHome = true }
        }
        stored.append(field)
        findPlaces()
        if tokenMark?.fieldName == field.name { tokenMark = nil }
    }

    private mutating func removeRepeats(of name: HTTPHeaderName, behind first: Int) {
        guard stored[(first + 1)...].contains(where: { $0.name == name }) else { return }
        stored[(first + 1)...].removeAll { $0.name == name }
        places = [:]
        findPlaces()
    }

    private mutating func takeOver() {
        guard deferred != nil else { return }
        stored = fields
        hasRepeats = true
        self.deferred = nil
        findPlaces()
    }

    /// The values of one name as one value.
    package static func joined(_ values: [String], of name: HTTPHeaderName) -> String {
        values.joined(separator: name == .cookie ? "; " : ", ")
    }

    /// The fields as a dictionary, with one joined value per name.
    package var dictionary: [String: String] {
        let fields = fields
        var dictionary = [String: String](minimumCapacity: fields.count)
        guard mayRepeat else {
            for field in fields { dictionary[field.name.rawName] = field.value }
            return dictionary
        }
        var values = equalityKey
        for field in fields {
            guard let all = values.removeValue(forKey: field.name) else { continue }
            dictionary[field.name.rawName] = Self.joined(all, of: field.name)
        }
        return dictionary
    }

    /// The largest collection that is searched linearly.
    ///
    /// A server can send thousands of fields.
    private static var fewFields: Int { 16 }

    /// Adds the last field, or all fields, to the index of a large collection.
    private mutating func findPlaces() {
        guard stored.count > Self.fewFields else { return }
        let unknown = places.isEmpty ? 0 : stored.count - 1
        for index in unknown..<stored.count where places[stored[index].name] == nil {
            places[stored[index].name] = index
        }
    }

    /// Returns the index of a stored field.
    ///
    /// Deferred fields have no index and no marks.
    private func index(of name: HTTPHeaderName) -> Int? {
        stored.count > Self.fewFields ? places[name] : stored.firstIndex { $0.name == name }
    }
}

extension HTTPHeaders: Sequence {
    /// The number of fields.
    public var count: Int { fields.count }

    /// Whether there are no fields.
    public var isEmpty: Bool { fields.isEmpty }

    /// Returns an iterator over the fields, in order.
    ///
    /// - Returns: An iterator over names and values.
    public func makeIterator() -> AnyIterator<(name: HTTPHeaderName, value: String)> {
        var rest = fields.makeIterator()
        return AnyIterator { rest.next().map { ($0.name, $0.value) } }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates fields from a literal.
    ///
    /// A later value replaces an earlier one of the same name.
    ///
    /// - Parameter elements: Names and values.
    public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
        self.init(elements)
    }
}

extension HTTPHeaders: EqualByKey {
    /// The values of each name, in order.
    package var equalityKey: [HTTPHeaderName: [String]] {
        Dictionary(grouping: fields, by: \.name).mapValues { $0.map(\.value) }
    }
}

extension HTTPHeaders {
    /// The `Content-Length` of a response, in bytes before decompression.
    var contentLength: Int64? { self[.contentLength]?.asciiNumber() }

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
        takeOver()
        for index in stored.indices {
            let trimmed = stored[index].value.trimmedOfBlanks
            if trimmed.utf8.count != stored[index].value.utf8.count {
                stored[index].value = trimmed
            }
        }
    }
}

extension HTTPHeaders.Field {
    /// Whether the field can be sent (RFC 9110, section 5.5).
    ///
    /// The name must be a token, and the value must not contain control characters other than tabs.
    var isValid: Bool { name.rawName.isHTTPToken && value.isFieldValue }
}
