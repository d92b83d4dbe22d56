public import NetKit

// What the response says.
extension StubReply {
    /// The same with another status.
    ///
    /// - Parameter status: The status.
    /// - Returns: The changed copy.
    public func status(_ status: HTTPStatus) -> StubReply {
        changed { $0.status = status }
    }

    /// The same with a header field, which replaces one of the same name.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    /// - Returns: The changed copy.
    public func header(_ name: HTTPHeaderName, _ value: String) -> StubReply {
        changed { $0.headers[name] = value }
    }
}

// How fast it goes, and how it ends. The pauses are on the transport's clock.
extension StubReply {
    /// Waits after the request before the head, or before the failure.
    ///
    /// - Parameter delay: How long. Negative durations count as zero.
    /// - Returns: The changed copy.
    public func delayed(by delay: Duration) -> StubReply {
        changed { $0.delay = delay }
    }

    /// Gives the body so many bytes at a time, with a pause between them.
    ///
    /// - Parameters:
    ///   - bytes: How many, at least 1.
    ///   - interval: The pause. The default is none.
    /// - Returns: The changed copy.
    public func dripping(_ bytes: Int, every interval: Duration = .zero) -> StubReply {
        changed { $0.pace = Pace(bytes: max(1, bytes), interval: interval) }
    }

    /// Breaks the response off within its body, which the head announces in full.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes of the body come; all of them if it has fewer.
    ///   - kind: What goes wrong then. The default is `.truncatedResponse`.
    /// - Returns: The changed copy.
    public func cutting(
        afterBodyBytes bytes: Int,
        with kind: TransportError.Kind = .truncatedResponse
    ) -> StubReply {
        changed { $0.breakOff = Break(bytes: max(0, bytes), error: TransportError(kind)) }
    }

    /// Fails now and then instead of answering.
    ///
    /// Whether the n-th request of a route fails depends on the transport's seed, on the route and on n,
    /// and on nothing else.
    ///
    /// - Parameters:
    ///   - probability: How often, between 0, never, and 1, always.
    ///   - kind: What goes wrong. The default is `.connectionLost`.
    /// - Returns: The changed copy.
    public func failing(
        probability: Double,
        with kind: TransportError.Kind = .connectionLost
    ) -> StubReply {
        changed { $0.chance = Chance(probability: probability, error: TransportError(kind)) }
    }

    private func changed(_ change: (inout StubReply) -> Void) -> StubReply {
        var copy = self
        change(&copy)
        return copy
    }
}
