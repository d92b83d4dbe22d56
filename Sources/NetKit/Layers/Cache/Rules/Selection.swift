/// Which of several stored responses a request selects (RFC 9111, section 4.1).
enum Selection {
    /// The value of a field for the comparison: without what makes no difference.
    ///
    /// Blanks around commas don't count; languages are a set, in any case of letters.
    static func normalized(_ value: String, of name: HTTPHeaderName) -> String {
        let isLanguage = name == .acceptLanguage
        var elements = HTTPHeaders.elements(ofList: value)
        if isLanguage { elements = elements.map { $0.lowercased() }.sorted() }
        return elements.joined(separator: ", ")
    }

    /// The fields that a response's `Vary` names, sorted, each once.
    static func names(in headers: HTTPHeaders) -> [HTTPHeaderName] {
        guard let vary = headers[.vary] else { return [] }
        let names = HTTPHeaders.names(inList: vary).map { $0.rawName.lowercased() }
        return Set(names).sorted().map { HTTPHeaderName($0) }
    }
}
