import Foundation

/// What there is of a file whose download did not end: `name.part` beside it, and a note of which
/// version of the resource the part belongs to.
struct PartialFile: Sendable {
    /// Where the whole file goes.
    let destination: URL

    /// Where the bytes go until they are whole.
    var part: URL { destination.appendingPathExtension("part") }
    /// Where the version is noted: a strong ETag or a date, as it goes into `If-Range`.
    private var note: URL { destination.appendingPathExtension("part-version") }

    /// How many bytes the part has and which version they are of; nil if it cannot be resumed.
    func resumable() -> (length: UInt64, version: String)? {
        guard let data = try? Data(contentsOf: note), !data.isEmpty,
            let attributes = try? FileManager.default.attributesOfItem(atPath: part.path),
            let length = (attributes[.size] as? NSNumber)?.uint64Value, length > 0
        else { return nil }
        return (length, String(decoding: data, as: UTF8.self))
    }

    /// Notes which version a part that is begun anew belongs to.
    ///
    /// Without a strong validator (RFC 9110, section 13.1.5), or where the bytes that arrive are not
    /// those that a range counts, there is none, and the part will not be resumed.
    func noteVersion(of head: ResponseHead) throws {
        try? FileManager.default.removeItem(at: note)  // it need not be there
        guard head.headers[.contentEncoding] == nil else { return }
        let tag = head.headers[.eTag].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        guard let version = tag ?? head.headers[.lastModified] else { return }
        try Data(version.utf8).write(to: note)
    }

    /// Forgets the part.
    func discard() {
        try? FileManager.default.removeItem(at: part)  // it need not be there
        try? FileManager.default.removeItem(at: note)
    }

    /// Puts the part, now whole, in the file's place.
    func complete() throws {
        guard rename(part.path, destination.path) == 0 else {
            throw DownloadFailure("the file cannot be put in place: \(destination.path)")
        }
        try? FileManager.default.removeItem(at: note)
    }
}

/// Why a download could not be written.
public struct DownloadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What could not be done, with the file's path.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
