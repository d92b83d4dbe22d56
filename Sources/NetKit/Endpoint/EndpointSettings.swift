import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The mutable settings of an endpoint as one value.
package struct EndpointSettings: Sendable {
    package var encoding: EncodingDefaults
    var headers: HTTPHeaders
    var decoder: JSONDecoder?
    var responseQueue: DispatchQueue?
    var retryPolicy: RetryPolicy
    package var timeouts: Timeouts
    var redirectPolicy = RedirectPolicy.follow
    package var maximumResponseSize = 64 << 20
    var authentication: (any Authentication)? {
        didSet {
            identified = authentication as? any IdentifiedAuthentication
            assignment = ProcessUniqueID()
        }
    }
    private(set) var identified: (any IdentifiedAuthentication)?
    /// Distinguishes authentications that don't identify their credential.
    private(set) var assignment = ProcessUniqueID()
    /// The identity of the current credential, or nil without authentication.
    package var identity: CredentialIdentity? {
        authentication == nil ? nil : identified?.identity ?? .id(assignment)
    }
    /// The features from other modules, at most one of each type.
    var sources: [any LayerSource] = []
    /// The session that one of the sources adds to requests.
    var session: (any SessionSource)? { sources.lazy.compactMap(\.session).first }
    var interceptors: [any Interceptor] = []
    /// The logger, or nil for a silent one.
    var logger: (any NetworkLogger)?
}

/// An immutable snapshot of the settings, shared by all readers until the next change.
package final class SettingsSnapshot: Sendable {
    package let values: EndpointSettings
    /// The origin of the base URL, or nil if it has none.
    let home: Origin?
    /// The requests that receive the endpoint's credential, or nil without authentication.
    package let credentials: CredentialScope?

    init(_ values: EndpointSettings) {
        self.values = values
        home = if case .success(let base) = values.encoding.base { base.origin } else { nil }
        credentials = values.authentication == nil ? nil : home.map { CredentialScope(home: $0) }
    }
}

// Settings that an endpoint adopts from a session configuration.

extension HTTPHeaders {
    /// Creates header fields from a session's additional ones, sorted by name.
    ///
    /// Values other than strings become their descriptions.
    init(additional headers: [AnyHashable: Any]?) {
        let fields = (headers ?? [:]).map { name, value in ("\(name.base)", "\(value)") }
        self.init(fields.ordered { $0.0 < $1.0 }.map { (HTTPHeaderName($0.0), $0.1) })
    }
}

extension Timeouts {
    /// Creates timeouts from a session configuration.
    ///
    /// The resource timeout counts only if it isn't the default of seven days.
    init(_ configuration: URLSessionConfiguration) {
        let total = configuration.timeoutIntervalForResource
        self.init(
            idle: Duration(timeout: configuration.timeoutIntervalForRequest),
            total: total == 604_800 ? nil : Duration(timeout: total)
        )
    }
}
