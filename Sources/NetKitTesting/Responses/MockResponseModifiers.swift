// The content of a response.
extension MockResponse {
    /// Adds a header field.
    ///
    /// Repeated calls send repeated fields.
    ///
    /// A Content-Type, Content-Length, Transfer-Encoding or Connection field replaces the server's
    /// own, even if it is wrong. The framing doesn't change.
    ///
    /// - Parameters:
    ///   - name: The field's name, sent as written.
    ///   - value: The field's value.
    /// - Returns: The changed copy.
    public func header(_ name: String, _ value: String) -> MockResponse {
        changed { $0.fields.append(HeaderField(name: name, value: value)) }
    }

    /// Sends informational responses first, such as 103 or 100.
    ///
    /// They are sent together with the response, or before its delay if it has one.
    ///
    /// - Parameters:
    ///   - codes: The 1xx status codes, in order.
    ///   - headers: The header fields of each informational response. Defaults to none.
    /// - Returns: The changed copy.
    public func informational(
        _ codes: [Int],
        headers: [(name: String, value: String)] = []
    ) -> MockResponse {
        changed {
            $0.informational = codes
            $0.informationalFields = headers.map { HeaderField(name: $0.name, value: $0.value) }
        }
    }

    /// Sends trailer fields after the body, which makes it chunked.
    ///
    /// Trailers crash URLSession on Linux, so test such a client in a separate process.
    ///
    /// - Parameters:
    ///   - fields: The trailer fields, in order.
    ///   - announced: Whether a Trailer field in the head names them. Defaults to true.
    /// - Returns: The changed copy.
    public func trailers(
        _ fields: [(name: String, value: String)],
        announced: Bool = true
    ) -> MockResponse {
        changed {
            let fields = fields.map { HeaderField(name: $0.name, value: $0.value) }
            $0.trailers = Trailers(fields: fields, areAnnounced: announced)
        }
    }
}

// The speed of a response.
extension MockResponse {
    /// Delays the first byte of the head.
    ///
    /// A negative duration counts as zero.
    public func delayed(by delay: Duration) -> MockResponse {
        changed { $0.delay = delay }
    }

    /// Limits the body to `rate` bytes a second.
    ///
    /// The body is sent in at most fifty portions a second.
    public func throttled(bytesPerSecond rate: Int) -> MockResponse {
        let rate = max(1, rate)
        let portion = rate / 50 + (rate % 50 == 0 ? 0 : 1)
        return dripping(bytes: portion, every: Duration.seconds(portion) / rate)
    }

    /// Sends the body in portions of a number of bytes, with a pause between them.
    public func dripping(bytes: Int, every interval: Duration) -> MockResponse {
        changed { $0.pace = Pace(bytes: max(1, bytes), interval: interval) }
    }
}

// The end of a response.
extension MockResponse {
    /// Sends `Connection: close`, and closes the connection after the response.
    public func closingConnection() -> MockResponse {
        changed { $0.closesConnection = true }
    }

    /// Sends neither Content-Length nor chunks: closing the connection ends the body.
    public func delimitedByClose() -> MockResponse {
        changed {
            $0.isDelimitedByClose = true
            $0.closesConnection = true
        }
    }

    /// Cuts the response off within its body, although the head announces all of it.
    ///
    /// - Parameters:
    ///   - bytes: The number of body bytes to send. If the body is shorter, all of it is sent,
    ///     without the last chunk.
    ///   - reset: Whether to reset the connection, once the client's system has the bytes, instead
    ///     of closing it. Defaults to false.
    /// - Returns: The changed copy.
    public func cutting(afterBodyBytes bytes: Int, reset: Bool = false) -> MockResponse {
        changed { $0.breakOff = Break(bodyBytes: max(0, bytes), ending: reset ? .reset : .close) }
    }

    /// Stops sending within the body, until the client disconnects or the server stops.
    ///
    /// A body of known length that isn't longer is sent whole, and the connection stays usable.
    ///
    /// - Parameter bytes: The number of body bytes to send.
    /// - Returns: The changed copy.
    public func stalling(afterBodyBytes bytes: Int) -> MockResponse {
        changed { $0.breakOff = Break(bodyBytes: max(0, bytes), ending: .stall) }
    }

    /// Responds after the head of the request, without reading its body or sending a 100.
    ///
    /// The connection is closed afterward. This applies only to queued responses.
    public func respondingBeforeBody() -> MockResponse {
        changed {
            $0.isBeforeBody = true
            $0.closesConnection = true
        }
    }

    private func changed(_ change: (inout MockResponse) -> Void) -> MockResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
