package import Foundation

/// What a request's property wrappers say, in whatever order they are declared.
package struct RequestParameters {
    /// The body that an ``Object`` makes.
    package enum ObjectBody {
        case json(Data)
        case form([(String, String)])
    }

    package var path: [(name: String, placeholder: String, value: String)] = []
    package var query: [(String, String)] = []
    package var headers = HTTPHeaders()
    package var rawBody: Data?
    package private(set) var objectBody: ObjectBody?
    private let isMultipart: Bool

    /// Reads a request's property wrappers, those of its superclasses too.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - traits: What is known of its type.
    /// - Throws: ``InvalidRequest`` for a value that is missing or has no text.
    package init(of request: some Request, _ traits: RequestTraits) throws(InvalidRequest) {
        isMultipart = traits.isMultipart
        guard traits.hasParameters else { return }
        try Self.forEach(of: request) { (parameter) throws(InvalidRequest) in
            try parameter.contribute(to: &self)
        }
    }

    /// Goes through a value's property wrappers, then those of its superclasses.
    package static func forEach(
        of value: Any,
        _ body: (any RequestParameter) throws(InvalidRequest) -> Void
    ) throws(InvalidRequest) {
        var next: Mirror? = Mirror(reflecting: value)
        while let mirror = next {
            for child in mirror.children {
                if let parameter = child.value as? any RequestParameter { try body(parameter) }
            }
            next = mirror.superclassMirror
        }
    }

    /// A value's property wrappers, those of its superclasses too.
    package static func all(of value: Any) -> [any RequestParameter] {
        var all: [any RequestParameter] = []
        try? forEach(of: value) { all.append($0) }
        return all
    }

    /// Takes the body of an ``Object``; there can be one.
    mutating func setBody(_ body: ObjectBody) throws(InvalidRequest) {
        guard objectBody == nil else { throw InvalidRequest(.severalBodies, "two bodies") }
        objectBody = body
    }
}

// MARK: - Body

extension RequestParameters {
    /// The body: of ``RawData``, else of ``Object``, else the request's own.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - innermost: The request inside all wrappings, whose files and parameters count.
    /// - Returns: The body, nil without one.
    /// - Throws: ``InvalidRequest`` for one that cannot be made.
    func body(
        of request: some Request,
        around innermost: some Request
    ) throws(InvalidRequest) -> EncodedBody? {
        if isMultipart, let form = innermost as? any MultipartFormDataRequest {
            let fields = try textParts(of: request)
            return try MultipartEncoder.encode(fields: fields, files: form.files)
        }
        if let rawBody { return BodyEncoder.raw(rawBody) }
        switch objectBody {
        case .json(let data): return BodyEncoder.json(data)
        case .form(let fields): return BodyEncoder.form(fields)
        case nil: break
        }
        guard let body = request.body else { return nil }
        return try BodyEncoder.encode(body)
    }

    private func textParts(of request: some Request) throws(InvalidRequest) -> [(String, String)] {
        guard rawBody == nil else {
            throw InvalidRequest(.severalBodies, "raw data beside files")
        }
        switch objectBody {
        case .form(let fields): return fields
        case .json(let data): return try JSONFields.fields(of: data)
        case nil: break
        }
        switch request.body {
        case nil: return []
        case .form(let fields): return fields
        case .params(let parameters):
            var fields: [(String, String)] = []
            for (name, value) in parameters.sortedByName {
                if let text = try JSONWriter.text(of: value, at: name) {
                    fields.append((name, text))
                }
            }
            return fields
        case .raw, .string, .json, .encodable, .file, .stream:
            throw InvalidRequest(.notAForm, "a body beside files that is no form")
        }
    }
}

/// The members of a JSON object as the text parts of a form.
enum JSONFields {
    /// The members as names and texts, as `params` have them.
    ///
    /// - Parameter object: The text of an object.
    /// - Returns: Its members, sorted by name: scalars as they read, containers as JSON, null not at all.
    /// - Throws: ``InvalidRequest`` for JSON that is no object, or a number that `Decimal` can't hold.
    static func fields(of object: Data) throws(InvalidRequest) -> [(String, String)] {
        let members: [String: JSONValue]
        do {
            members = try JSONDecoder().decode([String: JSONValue].self, from: object)
        } catch DecodingError.dataCorrupted(let context) {
            throw InvalidRequest(Unencodable(type: Decimal.self, at: context.codingPath))
        } catch {
            throw InvalidRequest(.notAForm, "a JSON body beside files that is no object")
        }
        var fields: [(String, String)] = []
        for (name, value) in members.sortedByName {
            if let text = try JSONWriter.text(of: value, at: name) { fields.append((name, text)) }
        }
        return fields
    }
}
