import Foundation

/// A property wrapper that adds a parameter to its request.
package protocol RequestParameter {
    func contribute(to parameters: inout RequestParameters) throws(InvalidRequest)
}

/// A parameter that has a place in the path.
package protocol PathParameter: RequestParameter {
    /// The parameter's name.
    var name: String { get }
    /// What stands in the path for it.
    var placeholder: String { get }
    /// Whether its value is several segments.
    var spansSegments: Bool { get }
}

extension Path: PathParameter {
    package var placeholder: String { encoding.placeholder(for: name) }
    package var spansSegments: Bool { encoding.spansSegments }

    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value else {
            throw InvalidRequest(.missingPathParameter(name), "@Path(\(quotedName)) was never set")
        }
        let segments = try encoding.spansSegments ? segments(of: value) : [text(of: value)]
        guard !segments.isEmpty, segments.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw InvalidRequest(.unsafePathParameter(name))
        }
        parameters.path.append((name, placeholder, segments))
    }

    private var quotedName: String { name.debugDescription }

    private func text(of value: Any) throws(InvalidRequest) -> String {
        guard let text = try ParameterText.text(of: value, named: name) else {
            throw InvalidRequest(.missingPathParameter(name), "@Path(\(quotedName)) is nil")
        }
        return text
    }

    private func segments(of value: Value) throws(InvalidRequest) -> [String] {
        guard let elements = ParameterText.elements(of: value) else {
            return try text(of: value).split(separator: "/", omittingEmptySubsequences: false)
                .map { String($0) }
        }
        var segments: [String] = []
        for element in elements { segments.append(try text(of: element)) }
        return segments
    }
}

extension Query: RequestParameter {
    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value else {
            if Value.self is any OptionalValue.Type { return }
            throw InvalidRequest(.unsetParameter(name))
        }
        parameters.query += try ParameterText.fields(of: value, named: name, encoding: encoding)
    }
}

extension Header: RequestParameter {
    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value else {
            if Value.self is any OptionalValue.Type { return }
            throw InvalidRequest(.unsetParameter(name.rawName))
        }
        if let text = try ParameterText.text(of: value, named: name.rawName) {
            parameters.headers[name] = text
        }
    }
}

extension Object: RequestParameter {
    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value else {
            if Value.self is any OptionalValue.Type { return }
            throw InvalidRequest(.unsetParameter(""))
        }
        if let optional = value as? any OptionalValue, optional.wrapped == nil { return }
        switch encoding {
        case .json:
            try parameters.setBody(.json(try BodyEncoder.encode(value, with: encoder)))
        case .form(let encoding) where followsMethod && parameters.movesFormsToQuery:
            parameters.query += try queryFields(of: value, encoding)
        case .form(let encoding):
            let fields = try FlatFields.fields(of: value, encoder: encoder, encoding: encoding)
            try parameters.setBody(.form(fields))
        case .query(let encoding):
            parameters.query += try queryFields(of: value, encoding)
        }
    }
}

extension Object {
    private func queryFields(
        of value: Value,
        _ encoding: URLEncoding
    ) throws(InvalidRequest) -> [(String, String)] {
        do throws(InvalidRequest) {
            return try FlatFields.fields(of: value, encoder: encoder, encoding: encoding)
        } catch {
            guard case .unencodableBody(let keyPath) = error.reason else { throw error }
            throw InvalidRequest(.unencodableParameter(keyPath))
        }
    }
}

extension RawData: RequestParameter {
    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value else { throw InvalidRequest(.unsetParameter("")) }
        guard parameters.rawBody == nil else {
            throw InvalidRequest(.multipleBodies, "two bodies")
        }
        parameters.rawBody = value
    }
}
