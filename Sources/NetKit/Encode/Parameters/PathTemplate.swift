/// Puts the values of ``Path`` parameters in their places.
extension RequestParameters {
    /// The path with every placeholder replaced, in one pass: a value is never taken for a placeholder.
    ///
    /// - Parameter template: The path as the request gives it.
    /// - Returns: The path, with its values percent-encoded so that each stays one segment, or one
    ///   value of a query.
    /// - Throws: ``InvalidRequest`` for a placeholder without a value or the other way round.
    func path(in template: String) throws(InvalidRequest) -> String {
        guard !path.isEmpty || template.utf8.contains(0x7B) else { return template }
        var unused = Set(path.map(\.name))
        var bytes: [UInt8] = []
        var rest = template[...]
        var isInQuery = false
        while let first = rest.first {
            if let match = path.first(where: { rest.hasPrefix($0.placeholder) }) {
                PercentEncoding.append(
                    match.value,
                    as: isInQuery ? .queryValue : .segment,
                    to: &bytes
                )
                unused.remove(match.name)
                rest = rest.dropFirst(match.placeholder.count)
                continue
            }
            if first == "{", let name = Self.placeholderName(rest) {
                throw InvalidRequest(.missingPathParameter(name))
            }
            if first == "?" { isInQuery = true }
            bytes += String(first).utf8
            rest.removeFirst()
        }
        if let name = path.first(where: { unused.contains($0.name) })?.name {
            throw InvalidRequest(.missingPathParameter(name))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name in `{name}` at the front of a text.
    private static func placeholderName(_ text: Substring) -> String? {
        let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        guard !name.isEmpty, text[name.endIndex...].hasPrefix("}") else { return nil }
        return String(name)
    }
}
