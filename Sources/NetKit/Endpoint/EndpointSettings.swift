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

    init(_ values: EndpointSettings) {
        self.values = values
    }
}
