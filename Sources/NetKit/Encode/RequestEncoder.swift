package import Foundation
import NetKitSupport

/// An encoder that turns a ``Request`` into an ``EncodedRequest``.
///
/// It has no side effects, but reads the sizes of files.
package enum RequestEncoder {
    /// Encodes a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - defaults: The endpoint's defaults.
    /// - Returns: The encoded request.
    /// - Throws: ``InvalidRequest`` if the request can't be sent.
    package static func encode<R: Request>(
        _ request: R,
        defaults: EncodingDefaults
    ) throws(InvalidRequest) -> EncodedRequest {
        try encode(request, RequestTraits.of(request), defaults: defaults)
    }

    /// Encodes a request with known traits.
    static func encode<R: Request>(
        _ request: R,
        _ traits: RequestTraits,
        defaults: EncodingDefaults,
        withBody: Bool = true
    ) throws(InvalidRequest) -> EncodedRequest {
        guard traits.isWrapping else {
            let method = traits.hasMethodText ? request.ownMethod : request.method
            return try encode(request, method, around: request, traits, defaults, withBody)
        }
        var innermost: any Request = request
        while let wrapped = innermost._wrappedRequest {
            if let refusal = RequestTraits.of(innermost).refusal?(innermost) { throw refusal }
            innermost = wrapped
        }
        let inner = RequestTraits.of(innermost)
        return try encode(request, request.ownMethod, around: innermost, inner, defaults, withBody)
    }

    /// Returns the innermost wrapped request.
    package static func innermost(of request: some Request) -> any Request {
        guard let wrapped = request._wrappedRequest else { return request }
        return innermost(of: wrapped)
    }

    /// Encodes a request, with the parameters and files of `innermost`.
    private static func encode(
        _ request: some Request,
        _ method: HTTPMethod,
        around innermost: some Request,
        _ traits: RequestTraits,
        _ defaults: EncodingDefaults,
        _ withBody: Bool
    ) throws(InvalidRequest) -> EncodedRequest {
        if let refusal = traits.refusal?(innermost) { throw refusal }
        if traits.hasMisnamedProperties, let ignored = MistypedProperty.ignored(in: innermost) {
            throw InvalidRequest(ignored)
        }
        let base = try defaults.base.get()
        let sentMethod = method.sentForm
        let parameters = try RequestParameters(of: innermost, traits, method: sentMethod)
        guard method.isValidToken else { throw InvalidRequest(.invalidMethod(method.rawValue)) }
        let body = withBody ? try parameters.body(of: request, around: innermost) : nil
        if body != nil, !method.allowsBody { throw InvalidRequest(bodyNotAllowedBy: method) }
        let (path, template) = try parameters.filled(
            request.path,
            strictly: defaults.escapesPathValuesStrictly
        )
        let target = try TargetURL(
            base: base,
            path: path,
            query: TargetQuery(
                defaults: defaults.queryParams,
                params: parameters.query.isEmpty
                    ? request.queryParams : request.queryParams + parameters.query,
                items: request.queryItems.map(\.content)
            )
        )
        var own = request.headers
        if let token = request.authToken { own.authToken = token }
        if !parameters.headers.isEmpty { own = own.merging(parameters.headers) }
        let redaction = defaults.redaction.adding(request.redaction)
        let isAuthenticated =
            traits.hasAuthenticationParameter ? request.sendsCredentials : request.isAuthenticated
        let accept = request.responseDecoding.accept
        func merged() throws(InvalidRequest) -> HTTPHeaders {
            try HeaderRules.headers(
                accept: accept,
                own: own,
                defaults: isAuthenticated
                    ? defaults.headers
                    : defaults.headers.withoutCredentials(hiding: redaction.headers),
                base: base,
                target: target,
                body: body,
                redaction: redaction,
                isAuthenticated: isAuthenticated
            )
        }
        let isStandard =
            own.isBlank && body == nil && isAuthenticated && target.isOnBaseOrigin
            && target.credentials == nil
        var headers =
            isStandard
            ? try defaults.standardFields.headers(accepting: accept, merged) : try merged()
        if !redaction.headers.isEmpty { headers.markSensitive(redaction.headers) }
        var encoded = EncodedRequest(
            url: target.url,
            origin: target.origin,
            method: sentMethod,
            headers: headers,
            body: body?.source
        )
        if redaction != .secrets { encoded.redaction = redaction }
        if !isAuthenticated || own.tokenMark != nil { encoded.isAuthenticated = false }
        if let template { encoded.pathTemplate = template }
        return encoded
    }
}

/// The defaults that an endpoint applies to each request.
package struct EncodingDefaults: Sendable {
    /// The parsed base URL, or the reason why it can't be used.
    package let base: Result<BaseURL, InvalidRequest>
    /// The header fields of every request that doesn't override them.
    package var headers: HTTPHeaders {
        didSet { standardFields = StandardFields() }
    }
    /// The fields of requests without any of their own.
    private(set) var standardFields = StandardFields()
    /// The query parameters of every request that doesn't use their names.
    package var queryParams: [(String, String)] = []
    /// Whether only unreserved characters stay as they are in the values of path parameters.
    var escapesPathValuesStrictly = false
    /// The redaction of the requests.
    package var redaction = Redaction.secrets

    /// Creates defaults from a base URL.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL, which paths are appended to. If it is invalid, every request fails.
    ///   - headers: The header fields of every request.
    package init(baseURL: URL, headers: HTTPHeaders) {
        base = Result { () throws(InvalidRequest) in try BaseURL(baseURL) }
        self.headers = headers
    }
}

/// The rules for merging and validating header fields.
enum HeaderRules {
    /// Merges the header fields, with the most specific taking precedence, and validates them.
    ///
    /// - Parameters:
    ///   - accept: The media type that the decoding accepts.
    ///   - own: The request's fields, from `headers`, `authToken` and `@Header`.
    ///   - defaults: The endpoint's fields.
    ///   - base: The endpoint's base URL.
    ///   - target: The request's URL. If its origin isn't the base URL's, the endpoint's credentials and `Host` are
    ///     removed.
    ///   - body: The body, or nil without one, which means no `Content-Type`.
    ///   - redaction: The redaction, whose header fields count as credentials.
    ///   - isAuthenticated: Whether to send the user and password of the base URL. Defaults to true.
    /// - Returns: The merged fields, with NetKit's `User-Agent` if there is none.
    /// - Throws: ``InvalidRequest`` for a field that must not be sent.
    static func headers(
        accept: String,
        own: HTTPHeaders,
        defaults: HTTPHeaders,
        base: BaseURL,
        target: TargetURL,
        body: EncodedBody?,
        redaction: Redaction,
        isAuthenticated: Bool = true
    ) throws(InvalidRequest) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers[.accept] = accept
        if target.isOnBaseOrigin {
            if isAuthenticated, let credentials = base.credentials {
                headers.authToken = credentials
            }
            headers = headers.merging(defaults)
        } else {
            headers = headers.merging(defaults.withoutCredentials(hiding: redaction.headers))
            headers.remove("Host")
        }
        if let credentials = target.credentials { headers.authToken = credentials }
        headers = headers.merging(own)
        let type = body?.contentType(own: own[.contentType], default: defaults[.contentType])
        if headers[.contentType] != type { headers[.contentType] = type }
        let hasUserAgent = headers[.userAgent] != nil
        try check(&headers)
        // Last, as it needs no check, and every other value takes precedence.
        if !hasUserAgent { headers.append(UserAgent.standard, for: .userAgent) }
        return headers
    }

    /// Refuses fields that must not be sent, and trims the values.
    ///
    /// An empty `User-Agent` or `Content-Type` is removed: RFC 9110 has no such value, and it is how a user asks for none.
    static func check(_ headers: inout HTTPHeaders) throws(InvalidRequest) {
        guard !headers.invalidAuthToken else {
            throw InvalidRequest(
                .invalidHeader(name: HTTPHeaderName.authorization.rawName),
                "the credential has a line break, or the user name a colon"
            )
        }
        for field in headers.fields {
            let isHost = field.name == "Host" && !headers.allowsHostOverride
            let isReserved = reserved.contains(field.name)
            guard field.isValid, !isHost, !isReserved else {
                let problem =
                    if isReserved {
                        "NetKit sets it"
                    } else if isHost {
                        "NetKit sets it from the URL, unless allowsHostOverride is true"
                    } else {
                        FieldProblem.of(field.name.rawName, field.value)
                    }
                throw InvalidRequest(.invalidHeader(name: field.name.rawName), problem)
            }
        }
        headers.trimValues()
        if headers[.userAgent]?.isEmpty == true { headers.remove(.userAgent) }
        if headers[.contentType]?.isEmpty == true { headers.remove(.contentType) }
    }

    /// Fields that the transport controls (RFC 9110, section 7.6.1).
    ///
    /// An array, because comparing the lengths of a few names is faster than hashing one.
    private static let reserved: [HTTPHeaderName] = [
        .contentLength, .transferEncoding, .connection, .upgrade, .te, .trailer,
        "Keep-Alive", "Proxy-Connection",
    ]
}

/// The checked header fields of requests without any of their own, by the media type that they accept.
///
/// They depend on the endpoint's base URL and fields alone, so most requests to it have the same.
final class StandardFields: Sendable {
    /// The maximum number of media types.
    private static let capacity = 8

    private let known = Locked<[(accept: String, headers: HTTPHeaders)]>([])

    /// Returns the fields for a media type, made once.
    func headers(
        accepting accept: String,
        _ make: () throws(InvalidRequest) -> HTTPHeaders
    ) throws(InvalidRequest) -> HTTPHeaders {
        if let headers = known.withLock({ $0.first { $0.accept == accept }?.headers }) {
            return headers
        }
        let headers = try make()
        known.withLock { known in
            if known.count == Self.capacity { known.removeFirst() }
            known.append((accept, headers))
        }
        return headers
    }
}

/// The `User-Agent` of requests that don't set another one (RFC 9110, section 10.1.5).
package enum UserAgent {
    /// The name and the version of NetKit.
    ///
    /// `Tools/scripts/lint` compares the version with that of the last release in CHANGELOG.md, and
    /// `Tools/scripts/publish` with that of the release it makes.
    package static let standard = "NetKit/0.1.0"

    /// Whether a request has only the standard value, or none.
    package static func isStandard(in headers: HTTPHeaders) -> Bool {
        let value = headers[.userAgent]
        return value == nil || value == standard
    }
}
