package import Foundation

/// The parameters of a request's property wrappers, in any order of declaration.
package struct RequestParameters {
    /// The body from an ``Object``.
    package enum ObjectBody {
        case json(Data)
        case form([(String, String)])
    }

    package var path: [(name: String, placeholder: String, segments: [String])] = []
    package var query: [(String, String)] = []
    package var headers = HTTPHeaders()
    package var rawBody: Data?
    package private(set) var objectBody: ObjectBody?
    private let isMultipart: Bool
    private var method: HTTPMethod?

    /// Reads a request's property wrappers, including those of its superclasses.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - traits: The traits of the request's type.
    ///   - method: The method that the request is sent with. Defaults to nil, for any.
    /// - Throws: ``InvalidRequest`` for a value that is missing or has no text form.
    package init(
        of request: some Request,
        _ traits: RequestTraits,
        method: HTTPMethod? = nil
    ) throws(InvalidRequest) {
        isMultipart = traits.isMultipart
        guard traits.hasParameters else { return }
        self.method = method
        try Self.forEach(of: request) { (parameter) throws(InvalidRequest) in
            try parameter.contribute(to: &self)
        }
    }

    /// Adds the values of a path's placeholders, one segment each.
    ///
    /// - Parameter values: The values by the placeholders' names.
    /// - Throws: ``InvalidRequest`` for a value that is nil or not a segment.
    init(path values: [String: any Sendable]) throws(InvalidRequest) {
        isMultipart = false
        for (name, value) in values.sortedByName {
            try Path(wrappedValue: value, name).contribute(to: &self)
        }
    }

    /// Calls `body` with a value's property wrappers, then with those of its superclasses.
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

    /// Returns a value's property wrappers, including those of its superclasses.
    package static func all(of value: Any) -> [any RequestParameter] {
        var all: [any RequestParameter] = []
        try? forEach(of: value) { all.append($0) }
        return all
    }

    /// Whether a form that follows the method goes to the query.
    var movesFormsToQuery: Bool { method == .get || method == .head || method == .delete }

    /// Sets the body from an ``Object``.
    ///
    /// Throws if there already is one.
    mutating func setBody(_ body: ObjectBody) throws(InvalidRequest) {
        guard objectBody == nil else { throw InvalidRequest(.multipleBodies, "two bodies") }
        objectBody = body
    }
}

// MARK: - Body

extension RequestParameters {
    /// Returns the body from ``RawData``, from ``Object``, or from the request, in this order.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - innermost: The innermost wrapped request, which provides files and parameters.
    /// - Returns: The body, or nil without one.
    /// - Throws: ``InvalidRequest`` if the body can't be encoded.
    func body(
        of request: some Request,
        around innermost: some Request
    ) throws(InvalidRequest) -> EncodedBody? {
        if isMultipart, let form = innermost as? any MultipartFormDataRequest {
            let files = form.files.map { FormItem(.file($0)) }
            return try BodyEncoder.encode(.multipart(try fields(of: request) + files))
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

    /// The parts before the files of a form.
    private func fields(of request: some Request) throws(InvalidRequest) -> [FormItem] {
        guard rawBody == nil else {
            throw InvalidRequest(.multipleBodies, "raw data beside files")
        }
        switch objectBody {
        case .form(let fields): return fields.map { FormItem(.value(name: $0, $1)) }
        case .json(let data): return Self.fields(try Self.members(of: data))
        case nil: break
        }
        switch request.body {
        case nil: return []
        case .form(let fields): return fields.map { FormItem(.value(name: $0, $1)) }
        case .params(let parameters): return Self.fields(parameters.values)
        case .multipart(let items): return items
        case .raw, .string, .json, .encodable, .file, .source, .stream:
            throw InvalidRequest(.notAForm, "a body next to files must be a form")
        }
    }

    private static func fields(_ values: [String: any Sendable]) -> [FormItem] {
        values.sortedByName.map { FormItem(.value(name: $0, $1)) }
    }

    private static func members(of object: Data) throws(InvalidRequest) -> [String: JSONValue] {
        do {
            return try JSONDecoder().decode([String: JSONValue].self, from: object)
        } catch DecodingError.dataCorrupted(let context) {
            throw InvalidRequest(Unencodable(type: Decimal.self, at: context.codingPath))
        } catch {
            throw InvalidRequest(.notAForm, "a JSON body next to files must be an object")
        }
    }
}
