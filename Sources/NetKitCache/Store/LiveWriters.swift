import NetKit

/// The writers whose responses may still become visible, by URL.
///
/// Only a writer that is removed from here may publish its response. Removing a URL removes its writers and its entries
/// in one step.
struct LiveWriters<Writer: AnyObject & Sendable> {
    private struct Reference {
        weak var writer: Writer?
    }

    private var writers: [String: [ObjectIdentifier: Reference]] = [:]

    /// Inserts a writer, which removes itself when it is released.
    mutating func insert(_ writer: Writer, for url: String) {
        writers[url, default: [:]][ObjectIdentifier(writer)] = Reference(writer: writer)
    }

    func contains(_ writer: ObjectIdentifier, for url: String) -> Bool {
        writers[url]?[writer] != nil
    }

    /// Removes a writer.
    ///
    /// - Parameters:
    ///   - writer: The identifier of the writer.
    ///   - url: The URL of its response.
    /// - Returns: Whether the writer was present.
    mutating func remove(_ writer: ObjectIdentifier, for url: String) -> Bool {
        guard writers[url]?.removeValue(forKey: writer) != nil else { return false }
        if writers[url]?.isEmpty == true { writers[url] = nil }
        return true
    }

    /// Removes all writers of a URL.
    mutating func removeAll(for url: String) -> [Writer] {
        writers.removeValue(forKey: url)?.values.compactMap(\.writer) ?? []
    }

    /// Removes all writers.
    mutating func removeAll() -> [Writer] {
        defer { writers = [:] }
        return writers.values.flatMap { $0.values.compactMap(\.writer) }
    }
}
