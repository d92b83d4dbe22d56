extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The base URL without user, query values and fragment; nothing of headers and settings.
    public var description: String { "Endpoint(\(RedactedURL(baseURL)))" }

    /// What `dump` shows: the base URL as ``description`` has it.
    public var customMirror: Mirror {
        Mirror(self, children: ["baseURL": "\(RedactedURL(baseURL))"])
    }
}
