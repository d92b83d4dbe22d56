import Dispatch
import Foundation

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
    var authentication: (any Authentication)?
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
