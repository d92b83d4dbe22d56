import NetKit

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

    /// Stands for the transport, like the name of a field.
    ///
    /// No field can have it.
    static let connection: HTTPHeaderName = ":connection"

    /// Returns the names of what selects a response, sorted and without duplicates.
    ///
    /// They are the field names in `Vary`. A `private` response is one user's, and servers forget `Vary`. It is
    /// therefore also selected by the cookies, and by a transport that may carry a credential.
    static func names(in headers: HTTPHeaders) -> [HTTPHeaderName] {
        let vary = headers[.vary]
        let isPrivate = headers.cacheControl.has("private")
        guard vary != nil || isPrivate else { return [] }
        var names = Set(HTTPHeaders.names(inList: vary ?? "").map { $0.rawName.lowercased() })
        if isPrivate {
            names.formUnion([HTTPHeaderName.cookie, connection].map { $0.rawName.lowercased() })
        }
        return names.sorted().map { HTTPHeaderName($0) }
    }
}
