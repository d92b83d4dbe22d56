extension [(String, String)] {
    /// Creates query parameters from a dictionary, sorted by key and without nil values.
    ///
    /// ```swift
    /// let queryParams: [(String, String)] = .init(["page": 2, "tags": ["a", "b"], "since": nil])
    /// // page=2&tags[]=a&tags[]=b
    /// ```
    ///
    /// - Parameters:
    ///   - dictionary: The values: numbers, Booleans, dates, text, enums with raw values, and arrays and dictionaries
    ///     of these. The text of any other value is its description.
    ///   - encoding: The format of arrays, Booleans, dates and nested names. Defaults to brackets, literals and ISO
    ///     8601.
    public init(
        _ dictionary: [String: (any Sendable)?],
        encoding: URLEncoding = URLEncoding()
    ) {
        self = Self.fields(of: dictionary.sortedByName, encoding)
    }

    /// Creates the query parameters of a literal, in its order and without nil values.
    init(_ pairs: KeyValuePairs<String, (any Sendable)?>) {
        self = Self.fields(of: pairs, URLEncoding())
    }

    private static func fields(
        of pairs: some Sequence<(key: String, value: (any Sendable)?)>,
        _ encoding: URLEncoding
    ) -> [(String, String)] {
        pairs.flatMap { name, value in
            value.map { fields(of: $0, named: name, encoding) } ?? []
        }
    }

    private static func fields(
        of value: Any,
        named name: String,
        _ encoding: URLEncoding
    ) -> [(String, String)] {
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else { return [] }
            return fields(of: wrapped, named: name, encoding)
        }
        if let dictionary = value as? [String: Any] {
            return dictionary.sortedByName
                .flatMap { key, value in
                    fields(of: value, named: encoding.name(of: key, in: name), encoding)
                }
        }
        do throws(InvalidRequest) {
            return try ParameterText.fields(of: value, named: name, encoding: encoding)
        } catch {
            return [(name, String(describing: value))]
        }
    }
}
