public import Foundation

/// A log of HTTP exchanges in the format that browsers' developer tools read and write: HAR 1.2
/// (<http://www.softwareishard.com/blog/har-12-spec/>).
///
/// ``HARRecorder`` gathers one, and `ReplayTransport` of NetKitTesting answers from one. To look into a log, open its
/// file in a browser, or decode ``data()``. Fields of others, which begin with `_`, are left out when a log is read.
public struct HAR: Hashable, Sendable {
    /// The version of the format: `1.2`.
    package var version = "1.2"
    /// Who wrote the log.
    package var creator: Creator
    /// The browser that made the exchanges, if one did.
    package var browser: Creator?
    /// The pages that the exchanges were made for, nil where there are none.
    package var pages: [HAR.Page]?
    /// The exchanges.
    package var entries: [Entry]
    /// What there is to say about the log.
    package var comment: String?

    /// Creates an empty log.
    public init() {
        self.init(entries: [])
    }

    /// Creates a log.
    package init(creator: Creator = .netKit, entries: [Entry], comment: String? = nil) {
        self.creator = creator
        self.entries = entries
        self.comment = comment
    }

    /// The number of exchanges.
    public var count: Int { entries.count }

    /// Who wrote a log.
    package struct Creator: Codable, Hashable, Sendable {
        /// The name of a program.
        package var name: String
        /// The program's version.
        package var version: String
        /// What there is to say about it.
        package var comment: String?

        /// Names a program.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - version: The version.
        package init(name: String, version: String) {
            self.name = name
            self.version = version
        }

        /// NetKit itself.
        package static var netKit: Creator { Creator(name: "NetKit", version: "1.0") }
    }
}

// MARK: - Files

extension HAR {
    /// Reads a log.
    ///
    /// - Parameter data: The JSON of a HAR file, with or without a byte order mark.
    /// - Throws: ``HARFailure``, with the place that is wrong.
    public init(data: Data) throws(HARFailure) {
        let mark = data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        do {
            self = try JSONDecoder().decode(HARFile.self, from: Data(data.dropFirst(mark))).log
        } catch {
            throw HARFailure(.invalid, HARFailure.place(of: error))
        }
    }

    /// Reads a log from a file.
    ///
    /// - Parameter file: The file.
    /// - Throws: ``HARFailure``.
    public init(contentsOf file: URL) throws(HARFailure) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw HARFailure(.unreadable, "\(file.path): \(error.localizedDescription)")
        }
        do {
            self = try HAR(data: data)
        } catch {
            throw HARFailure(error.kind, "\(file.path): \(error.reason)")
        }
    }

    /// The log as a HAR file has it: JSON in UTF-8, over several lines, its keys sorted.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``HARFailure`` for a time that is not finite or a date outside the years 0 to 9999.
    public func data() throws(HARFailure) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(HARFile(log: self))
        } catch {
            throw HARFailure(.invalid, HARFailure.place(of: error))
        }
    }

    /// Writes the log to a file: whole, in the place of what is there, or not at all.
    ///
    /// - Parameter file: The file, in a folder that is there.
    /// - Throws: ``HARFailure``.
    public func write(to file: URL) throws(HARFailure) {
        let data = try data()
        do {
            try data.write(to: file, options: .atomic)
        } catch {
            throw HARFailure(.unwritable, "\(file.path): \(error.localizedDescription)")
        }
    }
}

/// What a HAR file has: the log under its one key.
private struct HARFile: Codable {
    let log: HAR

    private enum RootKey: String, CodingKey { case log }

    private enum LogKey: String, CodingKey {
        case version, creator, browser, pages, entries, comment
    }

    init(log: HAR) {
        self.log = log
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: RootKey.self)
            .nestedContainer(keyedBy: LogKey.self, forKey: .log)
        let version = try fields.decodeIfPresent(String.self, forKey: .version) ?? "1.1"
        let creator = try fields.decode(HAR.Creator.self, forKey: .creator)
        let browser = try fields.decodeIfPresent(HAR.Creator.self, forKey: .browser)
        let pages = try fields.decodeIfPresent([HAR.Page].self, forKey: .pages)
        let entries = try fields.decode([HAR.Entry].self, forKey: .entries)
        let comment = try fields.decodeIfPresent(String.self, forKey: .comment)
        var log = HAR(creator: creator, entries: entries, comment: comment)
        log.version = version
        log.browser = browser
        log.pages = pages
        self.log = log
    }

    func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: RootKey.self)
        var fields = root.nestedContainer(keyedBy: LogKey.self, forKey: .log)
        try fields.encode(log.version, forKey: .version)
        try fields.encode(log.creator, forKey: .creator)
        try fields.encodeIfPresent(log.browser, forKey: .browser)
        try fields.encodeIfPresent(log.pages, forKey: .pages)
        try fields.encode(log.entries, forKey: .entries)
        try fields.encodeIfPresent(log.comment, forKey: .comment)
    }
}
