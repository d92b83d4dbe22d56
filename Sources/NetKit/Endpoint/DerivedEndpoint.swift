import Foundation

// Endpoints over the transport and the limits of another one.

extension Endpoint {
    /// Makes an endpoint over the same transport, with settings of its own: one for each user of a server, say.
    ///
    /// Both share connections, limits on requests in flight, the pauses that hosts ask for, retry budgets and the clock.
    /// Settings, ``authentication``, interceptors, observers and retriers begin as those of this endpoint; later changes of
    /// either leave the other alone. An ``Authentication`` is shared until one of them is given another.
    /// Cookies are not shared: where this endpoint has a jar, the derived one begins with an empty ``CookieJar`` in memory,
    /// so that no user gets another one's session. Set its ``cookies`` to this endpoint's to share them.
    /// ``cancelAllRequests()`` of this endpoint cancels the calls of both, that of the derived one its own alone.
    ///
    /// ```swift
    /// let forAlice = endpoint.derived { $0.authentication = BearerAuthentication(token: alice.token) { … } }
    /// ```
    ///
    /// It takes about two microseconds, so that a server can derive one for each request that it answers.
    ///
    /// - Parameter change: Changes the new endpoint before it is returned.
    /// - Returns: The new endpoint. It keeps this one alive.
    public func derived(_ change: (Endpoint) -> Void) -> Endpoint {
        let derived = Endpoint(
            over: self,
            at: baseURL,
            additionalHeaders: additionalHeaders,
            observation.copy(),
            requestRetrying.copy(),
            settings.withCookiesOfItsOwn
        )
        change(derived)
        return derived
    }

    /// Makes an endpoint like another one, whose settings may differ.
    ///
    /// Both share transport, connections, limits, observers and retriers.
    ///
    /// - Parameters:
    ///   - other: The other endpoint, whose ``cancelAllRequests()`` cancels the calls of both.
    ///   - change: Changes the settings; later changes of either endpoint leave the other alone.
    convenience init(like other: Endpoint, _ change: (inout EndpointSettings) -> Void) {
        var settings = other.settings.values
        change(&settings)
        self.init(
            over: other,
            at: other.baseURL,
            additionalHeaders: other.additionalHeaders,
            other.observation,
            other.requestRetrying,
            SettingsSnapshot(settings)
        )
    }

    /// Makes an endpoint that asks one address for another endpoint, without anything that may be secret.
    ///
    /// It has the other one's transport, policies and observers; neither headers, query and user name nor
    /// authentication, interceptors and retriers.
    ///
    /// - Parameters:
    ///   - other: The other endpoint.
    ///   - address: The address, without a user name.
    convenience init(_ other: Endpoint, withoutCredentialsAt address: URL) {
        var settings = other.settings.values
        settings.encoding = EncodingDefaults(baseURL: address, headers: [:])
        settings.encoding.redaction = other.settings.values.encoding.redaction
        settings.headers = [:]
        settings.authentication = nil
        settings.cookies = nil
        settings.interceptors = []
        self.init(
            over: other,
            at: address,
            additionalHeaders: [:],
            other.observation,
            RequestRetryingManager(),
            SettingsSnapshot(settings)
        )
    }
}

extension SettingsSnapshot {
    /// The same settings, with an empty jar in the place of the other endpoint's.
    fileprivate var withCookiesOfItsOwn: SettingsSnapshot {
        guard values.cookies != nil else { return self }
        var values = values
        values.cookies = CookieJar()
        return SettingsSnapshot(values)
    }
}
