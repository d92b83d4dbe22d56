/// The header fields of a message: ordered, with names in any case.
///
/// Setting a name replaces its fields, in literals too, and takes the place of the first; ``append(_:for:)`` adds
/// another field of the same name (RFC 9110, section 5.3). Iterating gives every field, the subscript joins the values of
/// one name. A field can be marked sensitive; its value is then shown nowhere and does not follow a redirect to
/// another origin. `Authorization`, `Cookie`, `Set-Cookie` and `Proxy-Authorization` always are, and those whose
/// names speak of a secret, such as `X-Api-Key`, are treated alike.
public struct HTTPHeaders: Sendable {
    struct Field: Equatable, Sendable {
        var name: HTTPHeaderName
        var value: String
        var isSensitive: Bool
        /// Whether the field is for the first origin alone, secret or not.
        var staysHome = false
    }

    private var stored: [Field] = []
    /// Where the first field of each name is in ``stored``, once there are too many to look through.
    private var places: [HTTPHeaderName: Int] = [:]
    /// Whether there may be several fields of one name.
    private var hasRepeats = false
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
        for rawName in dictionary.keys.map(\.rawName).sorted() {
            let name = HTTPHeaderName(rawName)
            self[name] = dictionary[name]
        }
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
    /// Several values are joined by ", ", those of `Cookie` by "; "; of `Set-Cookie`, whose values cannot be joined, it is
    /// the first (RFC 9110, section 5.3). Setting replaces all of them, and keeps a mark that is there.
    ///
    /// - Parameter name: The field's name, in any case.
    public subscript(name: HTTPHeaderName) -> String? {
        @inline(never) get {
            if let deferred { return deferred.value(of: name) }
            guard let index = index(of: name) else { return nil }
            guard hasRepeats, name != .setCookie else { return stored[index].value }
            return joined(name)
        }
        set {
            guard let newValue else { return remove(name) }
            put(Field(name: name, value: newValue, isSensitive: false), keepingMark: true)
        }
    }

    /// Every value of a name, in the order of the fields.
    ///
    /// One for most names. URLSession joins the fields of a response; those of `Set-Cookie` are taken apart again.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The values; none without such a field.
    public func values(for name: HTTPHeaderName) -> [String] {
        if let deferred { return deferred.values(of: name) }
        guard let index = index(of: name) else { return [] }
        guard hasRepeats else { return [stored[index].value] }
        return stored[index...].filter { $0.name == name }.map(\.value)
    }

    /// Adds a field behind all others, beside those of the same name.
    ///
    /// It is sensitive if one of these is.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - name: The field's name, sent in this spelling.
    public mutating func append(_ value: String, for name: HTTPHeaderName) {
        takeOver()
        add(Field(name: name, value: value, isSensitive: false))
    }

    /// Sets a field, in the place of all of its name.
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

    /// Removes all fields of a name; nothing if there is none.
    ///
    /// - Parameter name: The field's name, in any case.
    @inline(never)
    public mutating func remove(_ name: HTTPHeaderName) {
        takeOver()
        if let index = index(of: name) {
            if hasRepeats { removeFields { $0.name == name } } else { removeField(at: index) }
        }
        if tokenMark?.fieldName == name { tokenMark = nil }
    }

    /// Removes a field that has its name for itself; no other name is hashed.
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

    /// Removes all fields that a rule names, in one pass.
    @inline(never)
    mutating func removeFields(where isRemoved: (Field) -> Bool) {
        takeOver()
        stored.removeAll(where: isRemoved)
        places = [:]
        findPlaces()
    }

    /// Changes the values for which `change` gives another one.
    mutating func changeValues(_ change: (String) -> String?) {
        takeOver()
        for index in stored.indices {
            if let value = change(stored[index].value) { stored[index].value = value }
        }
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
    /// - Parameter other: The fields that replace those of the same name.
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
        var names: Set<HTTPHeaderName> = []
        for field in other.fields {
            let isRepeat = other.hasRepeats && !names.insert(field.name).inserted
            if isRepeat { merged.add(field) } else { merged.put(field, keepingMark: true) }
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
            if hasRepeats { removeRepeats(of: field.name, behind: index) }
        } else {
            stored.append(field)
            findPlaces()
        }
        if tokenMark?.fieldName == field.name { tokenMark = nil }
    }

    /// Adds a field beside those of the same name, with their marks.
    private mutating func add(_ field: Field) {
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
        var isFirst = true
        removeFields { field in
            guard field.name == name else { return false }
            defer { isFirst = false }
            return !isFirst
        }
    }

    private mutating func takeOver() {
        guard let deferred else { return }
        stored = deferred.all
        hasRepeats = true
        self.deferred = nil
        findPlaces()
    }

    /// All values of a name in one.
    private func joined(_ name: HTTPHeaderName) -> String {
        values(for: name).joined(separator: name == .cookie ? "; " : ", ")
    }

    /// The fields as a dictionary, which has one value for each name.
    package var dictionary: [String: String] {
        let fields = fields
        var dictionary = [String: String](minimumCapacity: fields.count)
        guard hasRepeats || deferred != nil else {
            for field in fields { dictionary[field.name.rawName] = field.value }
            return dictionary
        }
        var names: Set<HTTPHeaderName> = []
        for field in fields where names.insert(field.name).inserted {
            dictionary[field.name.rawName] = joined(field.name)
        }
        return dictionary
    }

    /// How many fields are looked through; a server may send thousands, whose search would take their square.
    private static var fewFields: Int { 16 }

    /// Notes the places of the fields where there are many: of the last one, or of all if none was noted.
    private mutating func findPlaces() {
        guard stored.count > Self.fewFields else { return }
        let unknown = places.isEmpty ? 0 : stored.count - 1
        for index in unknown..<stored.count where places[stored[index].name] == nil {
            places[stored[index].name] = index
        }
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
    public func makeIterator() -> AnyIterator<(name: HTTPHeaderName, value: String)> {
        var rest = fields.makeIterator()
        return AnyIterator { rest.next().map { ($0.name, $0.value) } }
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
    /// Whether both have the same names with the same values, the names in any order, whatever the marks.
    ///
    /// - Parameters:
    ///   - left: Some fields.
    ///   - right: Other fields.
    /// - Returns: Whether they are the same to a server.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        guard left.count == right.count else { return false }
        guard left.hasRepeats || right.hasRepeats else {
            return left.fields.allSatisfy { right[$0.name] == $0.value }
        }
        return left.valuesByName == right.valuesByName
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(Set(fields.map { [$0.name.rawName.lowercased(), $0.value] }))
    }

    private var valuesByName: [HTTPHeaderName: [String]] {
        Dictionary(grouping: fields, by: \.name).mapValues { $0.map(\.value) }
    }
}
