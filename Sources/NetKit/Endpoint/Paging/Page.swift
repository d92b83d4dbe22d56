/// One page of several: its value, and the response it came from.
///
/// Its descriptions and its mirror leave the value out.
public struct Page<Value: Sendable>: Sendable {
    /// What the body was decoded to.
    public let value: Value
    /// The response as it came, body included.
    public let http: HTTPResponse
    /// Which page it is in the order of asking, from 0.
    public let index: Int

    /// Makes a page, for tests.
    ///
    /// - Parameters:
    ///   - value: What the body was decoded to.
    ///   - http: The response as it came.
    ///   - index: Which page it is. Defaults to 0.
    package init(value: Value, http: HTTPResponse, index: Int = 0) {
        self.value = value
        self.http = http
        self.index = index
    }
}

extension Page: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: the index, the value's type and the HTTP response.
    public var description: String { "page \(index), \(Value.self) from \(http)" }

    /// What `dump` shows: everything but the value.
    public var customMirror: Mirror {
        Mirror(self, children: ["http": http, "index": index], displayStyle: .struct)
    }
}
