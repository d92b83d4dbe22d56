// What a response says.
extension MockResponse {
    /// Adds a header field; repeated calls send repeated fields.
    ///
    /// A Content-Type, Content-Length, Transfer-Encoding or Connection given here is sent in place
    /// of the one the server would have sent, even if it is a lie: the framing does not change.
    ///
    /// - Parameters:
    ///   - name: The field's name, sent with this spelling.
    ///   - value: The field's value.
    /// - Returns: The changed copy.
    public func header(_ name: String, _ value: String) -> MockResponse {
        changed { $0.fields.append(HeaderField(name: name, value: value)) }
    }

    /// Sends heads of informational responses first, such as 103 or 100.
    ///
    /// They go out in one piece with the response, or ahead of its delay if it has one.
    ///
    /// - Parameters:
    ///   - codes: The status codes, 1xx, in order.
    ///   - headers: The header fields of each of them. The default is none.
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
    /// URLSession on Linux ends the process over them: try them on a client in a process of its own.
    ///
    /// - Parameters:
    ///   - fields: The trailer fields, in order.
    ///   - announced: Whether a Trailer field in the head names them. The default is that it does.
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

// How fast it goes.
extension MockResponse {
    /// Waits before the first byte of the head.
    ///
    /// Negative durations count as zero.
    public func delayed(by delay: Duration) -> MockResponse {
        changed { $0.delay = delay }
    }

    /// Sends the body no faster than so many bytes a second, in up to fifty portions a second.
    public func throttled(bytesPerSecond rate: Int) -> MockResponse {
        let rate = max(1, rate)
        let portion = max(1, rate / 50)
        return dripping(portion, every: .nanoseconds(portion * 1_000_000_000 / rate))
    }

    /// Sends the body so many bytes at a time, with a pause between them.
    public func dripping(_ bytes: Int, every interval: Duration) -> MockResponse {
        changed { $0.pace = Pace(bytes: max(1, bytes), interval: interval) }
    }
}

// How it ends.
extension MockResponse {
    /// Announces `Connection: close`, and closes the connection after the response.
    public func closingConnection() -> MockResponse {
        changed { $0.closesConnection = true }
    }

    /// Sends neither Content-Length nor chunks: the body ends where the connection is closed.
    public func delimitedByClose() -> MockResponse {
        changed {
            $0.isDelimitedByClose = true
            $0.closesConnection = true
        }
    }

    /// Breaks the response off within its body, which the head announces in full.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes of the body are sent; all of them, but no last chunk, if it has
    ///     fewer.
    ///   - reset: Whether the connection is reset, once the client's system has the bytes. By
    ///     default it is closed.
    /// - Returns: The changed copy.
    public func cutting(afterBodyBytes bytes: Int, reset: Bool = false) -> MockResponse {
        changed { $0.breakOff = Break(bodyBytes: max(0, bytes), ending: reset ? .reset : .close) }
    }

    /// Stops sending within the body, until the client leaves or the server stops.
    public func stalling(afterBodyBytes bytes: Int) -> MockResponse {
        changed { $0.breakOff = Break(bodyBytes: max(0, bytes), ending: .stall) }
    }

    /// Answers as soon as the head of the request has arrived, without its body or a 100, and
    /// closes the connection; only for queued responses.
    public func answeringBeforeBody() -> MockResponse {
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
