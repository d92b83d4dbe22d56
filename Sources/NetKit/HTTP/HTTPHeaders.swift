/// The header fields of a message: ordered, one value a name, whatever the name's case.
///
/// A later field replaces an earlier one of the same name, in literals too, and takes its place. A
/// field can be marked sensitive; its value is then shown nowhere and does not follow a redirect to
/// another origin. `Authorization`, `Cookie`, `Set-Cookie` and `Proxy-Authorization` always are, and those whose
/// names speak of a secret, such as `X-Api-Key`, are treated alike.
public struct HTTPHeaders: Sendable {
    struct Field: Hashable, Sendable {
        var name: HTTPHeaderName
        var value: String
        var isSensitive: Bool
        /// Whether the field is for the first origin alone, secret or not.
        var staysHome = false
    }

    private var stored: [Field] = []
    /// Where the fields of ``stored`` are by their names, once there are too many to look through.
    private var places: [HTTPHeaderName: Int] = [:]
    /// Where the fields still are, until one of them is changed.
    private var deferred: DeferredFields?
    /// The token that ``authToken`` was set to, if it is in a field of its own or cannot be sent.
    var tokenMark: AuthToken?
    /// Whether a `Host` field may be sent instead of the URL's own host.
    ///
    /// False by default: a request with one is refused then.
    public var allowsHostOverride = false

    /// Makes no fields.
    public init() {}

    /// Makes fields in the order of a dictionary's sorted names.
    ///
    /// - Parameter dictionary: Names and values.
    public init(_ dictionary: [HTTPHeaderName: String]) {
        self.init(dictionary.sorted { $0.key.rawName < $1.key.rawName }.map { ($0.key, $0.value) })
    }

    /// Makes fields in the order given.
    ///
    /// - Parameter fields: Names and values; of two with one name the later counts.
    public init(_ fields: some Sequence<(HTTPHeaderName, String)>) {
        stored.reserveCapacity(fields.underestimatedCount)
        for (name, value) in fields { set(name, to: value) }
    }

    /// Makes fields that are looked up where they are until one of them is changed.
    package init(_ deferred: DeferredFields) {
        self.deferred = deferred
    }

    var fields: [Field] { deferred?.all ?? stored }

    /// The value of a field; set to nil to remove it.
    ///
    /// Setting keeps a mark that is there.
    ///
    /// - Parameter name: The field's name, in any case.
    public subscript(name: HTTPHeaderName) -> String? {
        get {
            if let deferred { return deferred.value(of: name) }
            return index(of: name).map { stored[$0].value }
        }
        set {
            guard let newValue else { return remove(name) }
            put(Field(name: name, value: newValue, isSensitive: false), keepingMark: true)
        }
    }

    /// Sets a field.
    ///
    /// - Parameters:
    ///   - name: The field's name, sent in this spelling.
    ///   - value: The field's value.
    ///   - isSensitive: Whether the value is secret.
    public mutating func set(_ name: HTTPHeaderName, to value: String, isSensitive: Bool = false) {
        put(Field(name: name, value: value, isSensitive: isSensitive), keepingMark: false)
    }

    /// Sets a field that is left behind on the way to another origin.
    mutating func setAtHome(_ name: HTTPHeaderName, to value: String, isSensitive: Bool) {
        let field = Field(name: name, value: value, isSensitive: isSensitive, staysHome: true)
        put(field, keepingMark: false)
    }

    /// Removes a field; nothing if there is none.
    ///
    /// - Parameter name: The field's name, in any case.
    public mutating func remove(_ name: HTTPHeaderName) {
        takeOver()
        if index(of: name) != nil { removeFields { $0.name == name } }
        if tokenMark?.fieldName == name { tokenMark = nil }
    }

    /// Removes all fields that a rule names, in one pass.
    mutating func removeFields(where isRemoved: (Field) -> Bool) {
        takeOver()
        stored.removeAll(where: isRemoved)
        places = [:]
        if stored.count > Self.fewFields { findPlaces() }
    }

    /// Whether a field's value is secret: it was marked, or its name says so.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: False also where there is no such field, unless its name says so.
    public func isSensitive(_ name: HTTPHeaderName) -> Bool {
        name.isCredential || index(of: name).map { stored[$0].isSensitive } ?? false
    }

    /// These fields with others over them.
    ///
    /// - Parameter other: The fields that win where names are the same.
    /// - Returns: All of them. A field that is marked sensitive in either is marked in the result.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        if fields.isEmpty, tokenMark == nil, !allowsHostOverride { return other }
        if other.fields.isEmpty, other.tokenMark == nil, !other.allowsHostOverride { return self }
        var merged = self
        // A token replaces the one below it, also where that is in another field. A plain field
        // does not: a key for the gateway and an Authorization may well go together.
        if let token = other.tokenMark, let own = authTokenFieldName, own != token.fieldName {
            merged.remove(own)
        }
        for field in other.fields {
            merged.put(field, keepingMark: true)
        }
        if let mark = other.tokenMark { merged.tokenMark = mark }
        merged.allowsHostOverride = allowsHostOverride || other.allowsHostOverride
        return merged
    }

    private mutating func put(_ field: Field, keepingMark: Bool) {
        takeOver()
        if let index = index(of: field.name) {
            let old = stored[index]
            stored[index] = field
            if keepingMark, old.isSensitive { stored[index].isSensitive = true }
            if keepingMark, old.staysHome { stored[index].staysHome = true }
        } else {
            stored.append(field)
            if stored.count > Self.fewFields { findPlaces() }
        }
        if tokenMark?.fieldName == field.name { tokenMark = nil }
    }

    private mutating func takeOver() {
        guard let deferred else { return }
        stored = deferred.all
        self.deferred = nil
        if stored.count > Self.fewFields { findPlaces() }
    }

    /// How many fields are looked through; a server may send thousands, whose search would take their square.
    private static var fewFields: Int { 16 }

    /// Notes the places of the fields at the end that have none yet.
    private mutating func findPlaces() {
        for index in places.count..<stored.count { places[stored[index].name] = index }
    }

    /// Where a field is among those that are stored; deferred ones are not, and have no marks.
    private func index(of name: HTTPHeaderName) -> Int? {
        stored.count > Self.fewFields ? places[name] : stored.firstIndex { $0.name == name }
    }
}

extension HTTPHeaders: Sequence {
    /// How many fields there are.
    public var count: Int { fields.count }

    /// Whether there are none.
    public var isEmpty: Bool { fields.isEmpty }

    /// The fields in their order.
    ///
    /// - Returns: Names and values.
    public func makeIterator() -> Iterator {
        Iterator(fields: fields.makeIterator())
    }

    /// Gives the fields one after the other.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate var fields: IndexingIterator<[Field]>

        /// The next field, nil after the last.
        ///
        /// - Returns: Its name, as it was spelt, and its value.
        public mutating func next() -> (name: HTTPHeaderName, value: String)? {
            fields.next().map { ($0.name, $0.value) }
        }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes fields in the order of a literal; of two with one name the later counts.
    ///
    /// - Parameter elements: Names and values.
    public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
        self.init(elements)
    }
}

extension HTTPHeaders: Hashable {
    /// Whether both have the same names with the same values, in any order, whatever the marks.
    ///
    /// - Parameters:
    ///   - left: Some fields.
    ///   - right: Other fields.
    /// - Returns: Whether they are the same to a server.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.count == right.count && left.fields.allSatisfy { right[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(Set(fields.map { [$0.name.rawName.lowercased(), $0.value] }))
    }
}
