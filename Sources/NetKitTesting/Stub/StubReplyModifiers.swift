public import NetKit

// The content of a reply.
extension StubReply {
    /// Replaces the status.
    ///
    /// - Parameter status: The status.
    /// - Returns: The changed copy.
    public func status(_ status: HTTPStatus) -> StubReply {
        changed { $0.status = status }
    }

    /// Sets a header field, which replaces one of the same name.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    /// - Returns: The changed copy.
    public func header(_ name: HTTPHeaderName, _ value: String) -> StubReply {
        changed { $0.fields.set(name, to: value) }
    }
}

// The speed and the end of a reply. Pauses use the transport's clock.
extension StubReply {
    /// Delays the head, or the failure.
    ///
    /// - Parameter delay: The delay. A negative duration counts as zero.
    /// - Returns: The changed copy.
    public func delayed(by delay: Duration) -> StubReply {
        changed { $0.delay = delay }
    }

    /// Sends the body in portions of a number of bytes, with a pause between them.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes of a portion, at least 1.
    ///   - interval: The pause. Defaults to none.
    /// - Returns: The changed copy.
    public func dripping(bytes: Int, every interval: Duration = .zero) -> StubReply {
        changed { $0.pace = Pace(bytes: max(1, bytes), interval: interval) }
    }

    /// Cuts the response off within its body, although the head announces all of it.
    ///
    /// - Parameters:
    ///   - bytes: The number of body bytes to send. A body that isn't longer is sent in full, and
    ///     fails only if the head doesn't announce its length.
    ///   - kind: The error that follows. Defaults to `.truncatedResponse`.
    /// - Returns: The changed copy.
    public func cutting(
        afterBodyBytes bytes: Int,
        with kind: TransportError.Kind = .truncatedResponse
    ) -> StubReply {
        changed { $0.breakOff = Break(bytes: max(0, bytes), error: TransportError(kind)) }
    }

    /// Fails some requests at random instead of answering.
    ///
    /// Whether the n-th request of a route fails depends only on the transport's seed, the route
    /// and n.
    ///
    /// - Parameters:
    ///   - probability: The probability, from 0 (never) to 1 (always).
    ///   - kind: The error. Defaults to `.connectionLost`.
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
