package import NetKitSupport

/// A failure that knows its place.
package protocol Placed {
    var place: FailurePlace { get set }
}

extension Placed {
    /// The same failure of a request, unless one is known already.
    package func of(_ request: @autoclosure () -> String) -> Self {
        var failure = self
        failure.place = place.of(request())
        return failure
    }

    /// The same failure of a token refresh.
    package func duringRefresh() -> Self {
        var failure = self
        failure.place = place.duringRefresh()
        return failure
    }
}
