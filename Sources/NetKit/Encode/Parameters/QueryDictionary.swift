extension [(String, String)] {
    /// Makes a query of a dictionary: keys sorted, what is nil left out.
    ///
    /// ```swift
    /// let queryParams: [(String, String)] = .init(["page": 2, "tags": ["a", "b"], "since": nil])
    /// // page=2&tags[]=a&tags[]=b
    /// ```
    ///
    /// - Parameters:
    ///   - dictionary: Numbers, Booleans, dates, enums with raw values, text, and arrays and
    ///     dictionaries of them. Any other value is written as it describes itself.
    ///   - encoding: How arrays, Booleans, dates and nested names are written.
    public init(
        _ dictionary: [String: (any Sendable)?],
        encoding: URLEncoding = URLEncoding()
    ) {
        self = dictionary.sortedByName
            .flatMap { name, value in
                value.map { Self.fields(of: $0, named: name, encoding) } ?? []
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
