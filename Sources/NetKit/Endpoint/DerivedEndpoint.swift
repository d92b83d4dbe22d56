package import Foundation

// Endpoints that share the transport and the limits of another endpoint.

extension Endpoint {
    /// Creates an endpoint with its own settings that shares this endpoint's transport.
    ///
    /// Use it to give each user of a server their own credentials and cookies:
    ///
    /// ```swift
    /// let forAlice = endpoint.derived { $0.authentication = BearerAuthentication(token: alice.token) { … } }
    /// ```
    ///
    /// - Both endpoints share connections, limits on requests in flight, the delays that hosts ask for, retry budgets,
    ///   and the clock.
    /// - The derived endpoint starts with copies of the settings, ``authentication``, interceptors, and
    ///   observers. Later changes to one endpoint don't affect the other. Both use the same ``Authentication`` object
    ///   and the same ``decoder`` until you replace them on either one.
    /// - Cookies aren't shared. If this endpoint has a jar, the derived one starts with an empty `CookieJar` in
    ///   memory, so that users never share a session. To share cookies, set its `cookies` to this endpoint's.
    /// - ``cancelAllRequests()`` on this endpoint cancels the calls of both. On the derived endpoint, it cancels only
    ///   its own calls.
    ///
    /// Creating one takes about two microseconds, so a server can derive an endpoint for each request it answers.
    ///
    /// - Parameter change: A closure that changes the new endpoint before the method returns it.
    /// - Returns: The new endpoint. It doesn't keep this one alive, so `endpoint = endpoint.derived { … }` can be
    ///   repeated any number of times.
    public func derived(_ change: (Endpoint) -> Void) -> Endpoint {
        let derived = Endpoint(
            over: self,
            at: baseURL,
            additionalHeaders: additionalHeaders,
            observation.copy(),
            settings.forAnotherUser
        )
        change(derived)
        return derived
    }

    /// Creates an endpoint like another one, with changed settings.
    ///
    /// Both share the transport, connections, limits, and observers.
    ///
    /// - Parameters:
    ///   - other: The other endpoint, whose ``cancelAllRequests()`` cancels the calls of both.
    ///   - change: Changes the settings. Later changes to either endpoint don't affect the other.
    convenience init(like other: Endpoint, _ change: (inout EndpointSettings) -> Void) {
        var settings = other.settings.values
        change(&settings)
        self.init(
            over: other,
            at: other.baseURL,
            additionalHeaders: other.additionalHeaders,
            other.observation,
            SettingsSnapshot(settings)
        )
    }

    /// Creates an endpoint that requests one URL without the other endpoint's secrets.
    ///
    /// It has the other endpoint's transport, policies, and observers. It has none of its header fields, query, user
    /// name, authentication, cookies, and interceptors.
    ///
    /// - Parameters:
    ///   - other: The other endpoint.
    ///   - address: The URL, without a user name.
    package convenience init(_ other: Endpoint, withoutCredentialsAt address: URL) {
        var settings = other.settings.values
        settings.encoding = EncodingDefaults(baseURL: address, headers: [:])
        settings.encoding.redaction = other.settings.values.encoding.redaction
        settings.headers = [:]
        settings.authentication = nil
        settings.sources.removeAll { $0.isCredential }
        settings.interceptors = []
        self.init(
            over: other,
            at: address,
            additionalHeaders: [:],
            other.observation,
            SettingsSnapshot(settings)
        )
    }
}

extension SettingsSnapshot {
    /// The same settings, without what belongs to one user.
    fileprivate var forAnotherUser: SettingsSnapshot {
        guard values.sources.contains(where: \.isCredential) else { return self }
        var values = values
        values.sources = values.sources.map { $0.forAnotherUser }
        return SettingsSnapshot(values)
    }
}
