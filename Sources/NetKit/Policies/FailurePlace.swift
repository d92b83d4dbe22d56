/// Where in a call a failure happened, as its descriptions say it.
struct FailurePlace: Hashable, Sendable {
    static let refreshFailed = "the token refresh failed"

    /// Method and redacted URL of the call's request; nil before the request is known.
    private var request: String?
    /// Method and redacted URL of a token refresh's request, empty if it isn't known; nil outside of a refresh.
    private var refresh: String?

    /// Creates a place.
    ///
    /// - Parameter request: Method and redacted URL of the request, if known. Defaults to nil.
    init(_ request: String? = nil) {
        self.request = request
    }

    /// Whether the failure is that of a token refresh that the call waited for.
    var isInRefresh: Bool { refresh != nil }

    /// The same place in a request, unless one is known already.
    func of(_ request: @autoclosure () -> String) -> FailurePlace {
        guard self.request == nil else { return self }
        var place = self
        place.request = request()
        return place
    }

    /// The same place in a token refresh, whose call isn't known yet.
    func duringRefresh() -> FailurePlace {
        var place = FailurePlace()
        place.refresh = refresh ?? request ?? ""
        return place
    }

    /// One line for logs, with methods and URLs before the words.
    func line(_ words: String) -> String {
        var parts: [String] = []
        if let request { parts.append(request) }
        if let refresh {
            parts.append(Self.refreshFailed)
            if !refresh.isEmpty { parts.append(refresh) }
        }
        return (parts + [words]).joined(separator: ": ")
    }

    /// One line for people, without URLs.
    func message(_ words: String) -> String {
        isInRefresh ? "\(Self.refreshFailed): \(words)" : words
    }
}
