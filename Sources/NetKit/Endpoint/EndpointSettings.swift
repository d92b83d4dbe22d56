import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Everything about an endpoint that may change while it is used, as one value.
struct EndpointSettings: Sendable {
    var encoding: EncodingDefaults
    var headers: HTTPHeaders
    var decoder: JSONDecoder?
    var responseQueue: DispatchQueue?
    var retryPolicy: RetryPolicy
    var timeouts: Timeouts
    var redirectPolicy = RedirectPolicy.follow
    var maximumResponseSize = 64 << 20
    var authentication: (any Authentication)? {
        didSet {
            identified = authentication as? any IdentifiedAuthentication
            assignment = ProcessUniqueID()
        }
    }
    private(set) var identified: (any IdentifiedAuthentication)?
    /// Tells authentications apart that do not know whose credential they have.
    private(set) var assignment = ProcessUniqueID()
    /// Whose credential it is now; nil without authentication.
    var identity: CredentialIdentity? {
        authentication == nil ? nil : identified?.identity ?? .id(assignment)
    }
    var cookies: CookieJar?
    var cache: HTTPCache?
    var interceptors: [any Interceptor] = []
    /// Nil for one that says nothing.
    var logger: (any NetworkLogger)?
}

/// The settings at one moment, shared by all who read them until one of them is changed.
final class SettingsSnapshot: Sendable {
    let values: EndpointSettings
    /// The endpoint's own origin; nil if its base URL has none.
    let home: Origin?
    /// The requests that get the endpoint's credential; nil without authentication.
    let credentials: CredentialScope?

    init(_ values: EndpointSettings) {
        self.values = values
        home = if case .success(let base) = values.encoding.base { base.origin } else { nil }
        credentials = values.authentication == nil ? nil : home.map { CredentialScope(home: $0) }
    }
}

// What an endpoint takes over from a session configuration, as NetKit's own.

extension HTTPHeaders {
    /// The additional headers of a session, sorted by name; values that are not text as their text.
    init(additional headers: [AnyHashable: Any]?) {
        let fields = (headers ?? [:]).map { name, value in ("\(name.base)", "\(value)") }
        self.init(fields.ordered { $0.0 < $1.0 }.map { (HTTPHeaderName($0.0), $0.1) })
    }
}

extension Timeouts {
    /// The session's timeouts; its resource timeout only where it is not the default of seven days.
    init(_ configuration: URLSessionConfiguration) {
        let total = configuration.timeoutIntervalForResource
        self.init(
            idle: Duration(timeout: configuration.timeoutIntervalForRequest),
            total: total == 604_800 ? nil : Duration(timeout: total)
        )
    }
}
