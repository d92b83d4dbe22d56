package import Foundation
import NetKitSupport

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
        self.method = method
        guard traits.hasParameters else { return }
        for parameter in Self.all(of: request) { try parameter.contribute(to: &self) }
    }

    /// Adds the values of a path's placeholders, one segment each.
    ///
    /// - Parameter values: The values by the placeholders' names.
    /// - Throws: ``InvalidRequest`` for a value that is nil or not a segment.
    package init(path values: [String: any Sendable]) throws(InvalidRequest) {
        isMultipart = false
        for (name, value) in values.sortedByName {
            try Path(wrappedValue: value, name).contribute(to: &self)
        }
    }

    /// Returns a value's property wrappers, including those of its superclasses.
    package static func all(of value: Any) -> [any RequestParameter] {
        children(of: value).compactMap { $0.value as? any RequestParameter }
    }

    /// Whether a value of the type of `value` can have property wrappers, even if this one has none.
    ///
    /// A wrapper can be an Optional, and each case of an enum can have its own.
    static func mayBe(in value: Any) -> Bool {
        Mirror(reflecting: value).displayStyle == .enum || hasParameter(value)
    }

    /// Whether a property of a value is a parameter by its type.
    static func hasParameter(_ value: Any) -> Bool {
        children(of: value).contains { isParameter(type(of: $0.value)) }
    }

    static func isParameter(_ type: any Any.Type) -> Bool {
        Unwrapped.type(type) is any RequestParameter.Type
    }

    private static func children(of value: Any) -> [Mirror.Child] {
        let mirror = Mirror(reflecting: value)
        let children = sequence(first: mirror) { $0.superclassMirror }.flatMap(\.children)
        guard mirror.displayStyle == .enum else { return children }
        // Several values of a case, or one with a label, are a tuple.
        return children.flatMap { child in
            let values = Mirror(reflecting: child.value)
            return values.displayStyle == .tuple ? Array(values.children) : [child]
        }
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
        guard rawBody == nil else { throw InvalidRequest(.multipleBodies, "raw data beside files") }
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

/// Replacement of the placeholders of ``Path`` parameters.
extension RequestParameters {
    /// Replaces all placeholders in a path, in one pass.
    ///
    /// A single pass ensures that a value is never mistaken for a placeholder.
    ///
    /// - Parameters:
    ///   - template: The request's path.
    ///   - isStrict: Whether only unreserved characters stay as they are in a segment. Defaults to false.
    /// - Returns: The path. Each value is percent-encoded to remain a single segment or, after a question mark, a
    ///   single query value.
    /// - Throws: ``InvalidRequest`` for a placeholder without a value, a value without a placeholder, or a URI template.
    package func path(
        in template: String,
        strictly isStrict: Bool = false
    ) throws(InvalidRequest) -> String {
        try filled(template, strictly: isStrict).path
    }

    /// Replaces all placeholders in a path, as ``path(in:strictly:)`` does, and returns the template too.
    func filled(
        _ template: String,
        strictly isStrict: Bool
    ) throws(InvalidRequest) -> PathTemplate.Filled {
        do throws(PathTemplate.Problem) {
            return try PathTemplate.filled(template, with: path, strictly: isStrict)
        } catch {
            switch error {
            case .missingValue(let name):
                throw InvalidRequest(
                    .missingPathParameter(name),
                    "the path has {\(name)}, but no @Path(\(name.debugDescription))"
                )
            case .missingPlaceholder(let name, let placeholder):
                throw InvalidRequest(
                    .missingPathParameter(name),
                    "@Path(\(name.debugDescription)) has no place: the path has no \(placeholder)"
                )
            case .expression(let expression):
                throw InvalidRequest(
                    .missingPathParameter(expression),
                    "the path is a URI template (RFC 6570): expand \(expression), or cut it off"
                )
            }
        }
    }
}

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
        guard let value = storage.stored else {
            throw InvalidRequest(.missingPathParameter(name), "@Path(\(quotedName)) was never set")
        }
        guard !parameters.path.contains(where: { $0.placeholder == placeholder }) else {
            throw InvalidRequest(.missingPathParameter(name), "two @Path(\(quotedName))")
        }
        let segments = try encoding.spansSegments ? segments(of: value) : [text(of: value)]
        guard !segments.isEmpty, segments.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw InvalidRequest(.unsafePathParameter(name))
        }
        parameters.path.append((name, placeholder, segments))
    }

    private var quotedName: String { name.debugDescription }

    private func text(of value: Any) throws(InvalidRequest) -> String {
        let advice = "write its text, as a String, or encoding: .segments"
        guard let text = try ParameterText.text(of: value, named: name, advice: advice) else {
            throw InvalidRequest(.missingPathParameter(name), "@Path(\(quotedName)) is nil")
        }
        return text
    }

    private func segments(of value: Value) throws(InvalidRequest) -> [String] {
        guard let elements = CollectionValue.elements(of: value) else {
            return try text(of: value).split(separator: "/", omittingEmptySubsequences: false)
                .map { String($0) }
        }
        return try elements.map(text)
    }
}

extension ParameterStorage {
    /// Returns the value, or nil for an Optional that was never set.
    fileprivate func sent(named name: String) throws(InvalidRequest) -> Value? {
        guard stored != nil || Value.self is any OptionalValue.Type else {
            throw InvalidRequest(.unsetParameter(name))
        }
        return stored
    }
}

extension Query: RequestParameter {
    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value = try storage.sent(named: name) else { return }
        parameters.query += try ParameterText.fields(of: value, named: name, encoding: encoding)
    }
}

extension Header: RequestParameter {
    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value = try storage.sent(named: name.rawName) else { return }
        guard let text = try text(of: value) else { return }
        guard parameters.headers[name] == nil else {
            throw InvalidRequest(.invalidHeader(name: name.rawName), "two @Header have this name")
        }
        parameters.headers[name] = text
    }

    private func text(of value: Value) throws(InvalidRequest) -> String? {
        if name.isForDate, let date = value as? Date, let text = HTTPDate.text(of: date) {
            return text
        }
        return try ParameterText.text(of: value, named: name.rawName)
    }
}

extension HTTPHeaderName {
    /// Whether a date in the field has the format of HTTP (RFC 9110, section 5.6.7).
    fileprivate var isForDate: Bool {
        [.date, .expires, .ifModifiedSince, .ifRange, .ifUnmodifiedSince, .lastModified]
            .contains(self)
    }
}

extension Object: RequestParameter {
    package func contribute(to parameters: inout RequestParameters) throws(InvalidRequest) {
        guard let value = try storage.sent(named: "") else { return }
        guard Unwrapped.value(value) != nil else { return }
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
        guard let value = storage.stored else { throw InvalidRequest(.unsetParameter("")) }
        guard parameters.rawBody == nil else { throw InvalidRequest(.multipleBodies, "two bodies") }
        parameters.rawBody = value
    }
}

/// The cached properties of a request type, which are slow to determine.
package final class RequestTraits: Sendable {
    /// Whether the type has property wrappers as parameters.
    let hasParameters: Bool
    let isMultipart: Bool
    let isWrapping: Bool
    /// Returns the reason why a request can't be sent; nil where the type gives none.
    let refusal: (@Sendable (any Request) -> InvalidRequest?)?
    /// Whether the type has stored properties with names that are written by mistake.
    let hasMisnamedProperties: Bool
    /// Whether the type declares its method as a text, not a parameter of that name.
    let hasMethodText: Bool
    /// Whether the type has a parameter called `timeout`.
    let hasTimeoutParameter: Bool
    /// Whether the type has a parameter called `isAuthenticated`.
    let hasAuthenticationParameter: Bool

    private init<R: Request>(of request: R) {
        hasParameters = RequestParameters.mayBe(in: request)
        let names = MistypedProperty.parameterNames(in: request)
        isMultipart = request is any MultipartFormDataRequest
        isWrapping = request is any ForwardingRequest
        if RequestMember.all(of: R.self).contains(where: { $0.dependsOnValue }) {
            refusal = { request in
                MistypedProperty.all(in: request, parameters: names).first
                    .map { InvalidRequest($0) }
            }
        } else if let mistyped = MistypedProperty.all(in: request, parameters: names).first {
            let invalid = InvalidRequest(mistyped)
            refusal = { _ in invalid }
        } else {
            refusal = nil
        }
        hasMisnamedProperties = !MistypedProperty.misnamed(in: request).isEmpty
        hasMethodText = R._Method.self == String.self && !names.contains("_method")
        hasTimeoutParameter = names.contains("_timeout")
        hasAuthenticationParameter = names.contains("_isAuthenticated")
    }

    private static let known = Locked<[ObjectIdentifier: RequestTraits]>([:])

    /// Returns the traits of a request's dynamic type, which can be a subclass.
    package static func of<R: Request>(_ request: R) -> RequestTraits {
        let type = ObjectIdentifier(type(of: request))
        if let traits = known.withLock({ $0[type] }) { return traits }
        let traits = RequestTraits(of: request)
        known.withLock { $0[type] = traits }
        return traits
    }

    /// Returns the download that a request of this type is or wraps, or nil.
    package func download(in request: some Request) -> (any FileDownloading)? {
        guard isWrapping else { return nil }
        let requests = sequence(first: request as any Request) { $0._wrappedRequest }
        return requests.first { $0 is any FileDownloading } as? any FileDownloading
    }
}

extension Request {
    /// The ``method``, also where it is declared as a text.
    package var ownMethod: HTTPMethod {
        guard Self._Method.self == String.self, RequestTraits.of(self).hasMethodText else {
            return method
        }
        return methodText.map { HTTPMethod(rawValue: $0) } ?? method
    }

    /// The ``isAuthenticated``, unless it is a parameter, which decides nothing.
    package var sendsCredentials: Bool {
        guard RequestTraits.of(self).hasAuthenticationParameter else { return isAuthenticated }
        return _wrappedRequest?.sendsCredentials ?? true
    }

    /// The ``timeout``, also where it is declared as a `Duration`.
    var ownTimeout: Duration? {
        // A parameter is sent, and limits nothing.
        if RequestTraits.of(self).hasTimeoutParameter { return _wrappedRequest?.ownTimeout }
        if Self._Timeout.self == TimeInterval?.self { return timeout.map { Duration(timeout: $0) } }
        return anyTimeout.map { Duration(timeout: $0) }
    }
}
