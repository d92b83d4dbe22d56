extension DefaultRequest: CustomStringConvertible, CustomReflectable {
    /// Method, path without its query, and the names in the query; no values.
    public var description: String { RequestSummary.text(of: self) }

    /// What `dump` shows: ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension DefaultMultipartFormDataRequest: CustomStringConvertible, CustomReflectable {
    /// Method, path without its query, and the names in the query; no values, no files.
    public var description: String { RequestSummary.text(of: self) }

    /// What `dump` shows: ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// Says in short what a request is, without values that may be secret.
enum RequestSummary {
    /// One line.
    static func text(of request: some Request) -> String {
        let names = request.queryParams.map(\.0) + request.queryItems.map(\.name)
        let path = request.path.prefix { $0 != "?" && $0 != "#" }
        return "\(request.method) \(path)"
            + (names.isEmpty ? "" : "?" + names.joined(separator: "&"))
    }
}
