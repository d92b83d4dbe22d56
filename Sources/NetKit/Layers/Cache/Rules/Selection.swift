/// The rules for selecting among stored responses (RFC 9111, section 4.1).
enum Selection {
    /// Normalizes a field value for comparison.
    ///
    /// Blanks around commas are ignored. Languages are compared as a set, ignoring case.
    static func normalized(_ value: String, of name: HTTPHeaderName) -> String {
        let isLanguage = name == .acceptLanguage
        var elements = HTTPHeaders.elements(ofList: value)
        if isLanguage { elements = elements.map { $0.lowercased() }.sorted() }
        return elements.joined(separator: ", ")
    }

    /// Returns the field names in a response's `Vary`, sorted and without duplicates.
    static func names(in headers: HTTPHeaders) -> [HTTPHeaderName] {
        guard let vary = headers[.vary] else { return [] }
        let names = HTTPHeaders.names(inList: vary).map { $0.rawName.lowercased() }
        return Set(names).sorted().map { HTTPHeaderName($0) }
    }
}
