/// The writers whose responses may still become visible, by the URLs of these.
///
/// A writer that is in here and taken out is the only one that may show its response: what removes a URL takes out all of
/// its writers, at one moment with the entries.
struct LiveWriters<Writer: AnyObject & Sendable> {
    private struct Reference {
        weak var writer: Writer?
    }

    private var writers: [String: [ObjectIdentifier: Reference]] = [:]

    /// Adds a writer, which removes itself at the latest when it is released.
    mutating func insert(_ writer: Writer, for url: String) {
        writers[url, default: [:]][ObjectIdentifier(writer)] = Reference(writer: writer)
    }

    func contains(_ writer: ObjectIdentifier, for url: String) -> Bool {
        writers[url]?[writer] != nil
    }

    /// Takes a writer out.
    ///
    /// - Returns: Whether it was there.
    mutating func remove(_ writer: ObjectIdentifier, for url: String) -> Bool {
        guard writers[url]?.removeValue(forKey: writer) != nil else { return false }
        if writers[url]?.isEmpty == true { writers[url] = nil }
        return true
    }

    /// Takes out all writers of a URL.
    mutating func removeAll(for url: String) -> [Writer] {
        writers.removeValue(forKey: url)?.values.compactMap(\.writer) ?? []
    }

    /// Takes out all writers.
    mutating func removeAll() -> [Writer] {
        defer { writers = [:] }
        return writers.values.flatMap { $0.values.compactMap(\.writer) }
    }
}
