public import HTTPTypes
public import NetKit

extension HTTPFields {
    /// Creates the same header fields: names in their spelling, all values, in their order.
    ///
    /// Fields that are sensitive get the indexing strategy `disallow`, so that HTTP/2 and HTTP/3 don't compress them.
    ///
    /// - Parameter headers: The fields.
    /// - Throws: ``HTTPConversionFailure/headerField(name:)`` for a field that HTTPTypes can't hold as it is.
    public init(_ headers: HTTPHeaders) throws(HTTPConversionFailure) {
        self.init()
        reserveCapacity(headers.count)
        for (name, value) in headers {
            guard let fieldName = HTTPField.Name(name.rawName), HTTPField.isValidValue(value) else {
                throw .headerField(name: name.rawName)
            }
            var field = HTTPField(name: fieldName, value: value)
            if headers.isSensitive(name) { field.indexingStrategy = .disallow }
            append(field)
        }
    }
}

extension HTTPHeaders {
    /// Creates the same header fields: names in their spelling, all values, in their order.
    ///
    /// Fields whose indexing strategy is `disallow` are sensitive, and all of the same name with them. Bytes of a value that
    /// are not UTF-8 are replaced, as HTTPTypes does in `HTTPField.value`.
    ///
    /// - Parameter fields: The fields.
    public init(_ fields: HTTPFields) {
        self.init()
        var sensitive: Set<HTTPField.Name> = []
        for field in fields where field.indexingStrategy == .disallow {
            sensitive.insert(field.name)
        }
        var met: Set<HTTPField.Name> = []
        for field in fields {
            let name = HTTPHeaderName(field.name.rawName)
            if sensitive.contains(field.name), met.insert(field.name).inserted {
                set(name, to: field.value, isSensitive: true)
            } else {
                append(field.value, for: name)
            }
        }
    }
}
