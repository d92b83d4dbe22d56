import Foundation
import NetKitSupport

// Properties with a name that is written for a requirement by mistake.

extension MistypedProperty {
    /// The names of the stored properties that are written by mistake, and may be ignored.
    static func misnamed(in request: some Request) -> [String] {
        StoredProperties.of(request).map(\.label).filter { meant[$0] != nil }
    }

    /// The first misnamed property whose value isn't empty, in a request that doesn't use it.
    ///
    /// A request uses it if it has what the name means: a query for `query`, another base for `url`, any body for `files`.
    /// A timeout or a Boolean is used, too, if the query or the body has a member of its name, and a timeout if one has its
    /// number. Any other may be used by a body, files or parameters, but for `baseURL`, or by a path or a header field with
    /// its text.
    package static func ignored(in request: some Request) -> MistypedProperty? {
        for (label, value) in StoredProperties.of(request) {
            guard let meaning = meant[label], !isEmpty(value),
                !meaning.isUsed(label, value, in: request)
            else { continue }
            return MistypedProperty(label, value, expected: meaning.expected(by: request))
        }
        return nil
    }

    /// Whether a value is nil or has no elements.
    private static func isEmpty(_ value: Any) -> Bool {
        guard let value = Unwrapped.value(value) else { return true }
        if let collection = value as? any Collection { return collection.isEmpty }
        if let headers = value as? HTTPHeaders { return headers.fields.isEmpty }
        return false
    }
}

/// What a misnamed property is meant to be.
private struct Meaning: Sendable {
    /// Whether a body or a query uses the value.
    enum Parameters {
        /// Any body and any parameter may.
        case any
        /// Only one with a member of the same name or number.
        case own
        /// None does.
        case none
    }

    /// The requirement that is meant, with its type.
    let expected: String
    /// The same for a request whose method allows a body.
    private let expectedWithBody: String?
    private let parameters: Parameters
    /// Whether the path may have the text in another case.
    private let ignoresCase: Bool
    /// Whether a request has a value for the requirement that is meant.
    private let hasOwn: @Sendable (Any, any Request) -> Bool

    init(
        _ expected: String,
        withBody expectedWithBody: String? = nil,
        in parameters: Parameters = .any,
        ignoresCase: Bool = true,
        hasOwn: @escaping @Sendable (Any, any Request) -> Bool
    ) {
        (self.expected, self.expectedWithBody) = (expected, expectedWithBody)
        (self.parameters, self.ignoresCase, self.hasOwn) = (parameters, ignoresCase, hasOwn)
    }

    func expected(by request: some Request) -> String {
        request.ownMethod.allowsBody ? expectedWithBody ?? expected : expected
    }

    func isUsed(_ name: String, _ value: Any, in request: any Request) -> Bool {
        if hasOwn(value, request) { return true }
        switch parameters {
        case .any where hasParameters(request): return true
        case .any, .none: return hasPlace(for: value, in: request)
        case .own: return hasMember(name, value, in: request)
        }
    }

    private func hasParameters(_ request: any Request) -> Bool {
        request.body != nil || !request.queryParams.isEmpty || !request.queryItems.isEmpty
            || !RequestParameters.all(of: request).isEmpty
            || !((request as? any MultipartFormDataRequest)?.files.isEmpty ?? true)
    }

    /// Whether the query or the body has the name, or a number that equals the value.
    ///
    /// Nearly every one has a Boolean, so that only its name tells.
    private func hasMember(_ name: String, _ value: Any, in request: any Request) -> Bool {
        let parameters = try? RequestParameters(
            of: request,
            RequestTraits.of(request),
            method: request.ownMethod
        )
        let body = try? parameters?.body(of: request, around: request)
        let texts = [
            String(request.path.drop { $0 != "?" }),
            String(decoding: body?.source.data?.prefix(1 << 16) ?? Data(), as: UTF8.self),
        ]
        let words = texts.flatMap { text in
            // Not at colons, of which a time has some.
            text.split { $0.isNewline || "{}[],\"?&=".contains($0) }
                .map { String($0.drop { ": ".contains($0) }) }
        }
        let query =
            (request.queryParams + (parameters?.query ?? [])).flatMap { [$0.0, $0.1] }
            + request.queryItems.flatMap(\.texts)
        let text = try? ParameterText.text(of: value, named: name)
        let number = text.flatMap { Double($0) }
        return (words + query)
            .contains { word in
                word.filter(\.isLetter).lowercased() == name.lowercased()
                    || number.map { $0 == Double(word) } ?? false
            }
    }

    /// Whether the path or a header field has a text of the value.
    private func hasPlace(for value: Any, in request: any Request) -> Bool {
        let path = request.path
        let paths = [path, path.removingPercentEncoding ?? path]
        // A whole text may be a part of a word.
        let whole = value as? String ?? (value as? URL)?.absoluteString
        if let whole, paths.contains(where: { $0.contains(whole) }) { return true }
        let token = [request.authToken?.fieldValue].compactMap { $0 }
        let places = (paths + request.headers.map(\.value) + token).map { cased($0) }
        return Self.texts(of: value).map { cased($0) }
            .contains { word in places.contains { $0.hasWord(word) } }
    }

    private func cased(_ text: String) -> String { ignoresCase ? text.lowercased() : text }

    /// The texts of a value, or of the nearest properties of a struct, but of no elements.
    private static func texts(of value: Any) -> [String] {
        var (values, texts) = ([value], [String]())
        // A value can be a deep tree.
        for index in 0..<64 where index < values.count {
            guard let value = Unwrapped.value(values[index]) else { continue }
            if let text = try? ParameterText.text(of: value, named: "") {
                texts += [text, "\(value)"].filter { !$0.isEmpty }
            } else if !(value is any Collection) {
                let children = Mirror(reflecting: value).children
                if children.isEmpty, case let text = "\(value)", !text.isEmpty {
                    texts.append(text)
                }
                values += children.map(\.value)
            }
        }
        return texts
    }
}

extension QueryItem {
    /// The decoded name and the value, if there is one that isn't encoded.
    fileprivate var texts: [String] {
        if case .pair(let name, let value) = content { [name, value] } else { [name] }
    }
}

extension MistypedProperty {
    private static let query = Meaning("queryParams: [(String, String)]", hasOwn: hasQuery)
    private static let parameters = Meaning(
        query.expected,
        withBody: "body: RequestBody? = .params(…)",
        hasOwn: hasQuery
    )
    private static let address = Meaning("endpoint: Endpoint?") { value, request in
        hasAddress(value, request) || (value as? URL).map { hasPart($0, request.path) } ?? false
    }
    private static let base = Meaning("endpoint: Endpoint?", in: .none, hasOwn: hasAddress)

    private static let body = Meaning("body: RequestBody?") { _, _ in false }
    private static let header = Meaning("headers: HTTPHeaders") { _, request in
        !request.headers.fields.isEmpty
    }
    private static let authentication =
        Meaning("isAuthenticated: Bool", in: .own) { value, request in
            value as? Bool == request.sendsCredentials
        }

    private static let files =
        Meaning("files of a MultipartFormDataRequest", in: .none) { value, request in
            request is any MultipartFormDataRequest || request.body != nil
                || !((value as? [Any])?.contains { $0 is any MultipartFile } ?? false)
        }

    private static let hasQuery: @Sendable (Any, any Request) -> Bool = { _, request in
        request.path.contains("?")
    }

    private static let hasAddress: @Sendable (Any, any Request) -> Bool = { value, request in
        request.endpoint != nil || WrittenPath(request.path).isAbsolute
            || (value as? URL).map { $0.path.hasSuffix(request.path) } ?? false
    }

    /// Whether a path has the host or the last segment of a URL.
    private static func hasPart(_ url: URL, _ path: String) -> Bool {
        [url.host ?? "", url.lastPathComponent].contains { $0.count > 1 && path.hasWord($0) }
    }

    /// The closed list of names that are written by mistake.
    private static let meant: [String: Meaning] = [
        "query": query, "queryParameters": query, "params": parameters, "parameters": parameters,
        "bodyParams": parameters, "bodyParameters": parameters,
        "httpMethod": Meaning("method: HTTPMethod", ignoresCase: false) { value, request in
            let text = (value as? HTTPMethod)?.rawValue ?? value as? String
            return text == nil || text?.uppercased() == "GET" || request.ownMethod != .get
        },
        "httpBody": body, "requestBody": body,
        "header": header, "httpHeaders": header, "headerParameters": header,
        "authorizationToken": Meaning("authToken: AuthToken?") { _, request in
            request.authToken != nil
        },
        "timeoutInterval": Meaning("timeout: Duration?", in: .own) { _, request in
            request.ownTimeout != nil
        },
        "requiresAuthentication": authentication, "requiresAuth": authentication,
        "needsAuthentication": authentication,
        "baseURL": base, "url": address, "files": files,
    ]
}
