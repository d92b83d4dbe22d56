public import Foundation

/// A log of HTTP exchanges in the format that browsers' developer tools read and write: HAR 1.2
/// (<http://www.softwareishard.com/blog/har-12-spec/>).
///
/// ``HARRecorder`` gathers one. Fields of others, which begin with `_`, are left out when a log is read.
public struct HAR: Hashable, Sendable {
    /// The version of the format: `1.2`.
    public var version = "1.2"
    /// Who wrote the log.
    public var creator: Creator
    /// The browser that made the exchanges, if one did.
    public var browser: Creator?
    /// The pages that the exchanges were made for, nil where there are none.
    public var pages: [HAR.Page]?
    /// The exchanges.
    public var entries: [Entry]
    /// What there is to say about the log.
    public var comment: String?

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - creator: Who writes it. Defaults to NetKit.
    ///   - entries: The exchanges. Defaults to none.
    ///   - comment: What there is to say about it. Defaults to nothing.
    public init(creator: Creator = .netKit, entries: [Entry] = [], comment: String? = nil) {
        self.creator = creator
        self.entries = entries
        self.comment = comment
    }

    /// Who wrote a log.
    public struct Creator: Codable, Hashable, Sendable {
        /// The name of a program.
        public var name: String
        /// The program's version.
        public var version: String
        /// What there is to say about it.
        public var comment: String?

        /// Names a program.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - version: The version.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }

        /// NetKit itself.
        public static var netKit: Creator { Creator(name: "NetKit", version: "1.0") }
    }
}

extension HAR: Codable {
    private enum RootKey: String, CodingKey { case log }

    private enum LogKey: String, CodingKey {
        case version, creator, browser, pages, entries, comment
    }

    public init(from decoder: any Decoder) throws {
        let log = try decoder.container(keyedBy: RootKey.self)
            .nestedContainer(keyedBy: LogKey.self, forKey: .log)
        version = try log.decodeIfPresent(String.self, forKey: .version) ?? "1.1"
        creator = try log.decode(Creator.self, forKey: .creator)
        browser = try log.decodeIfPresent(Creator.self, forKey: .browser)
        pages = try log.decodeIfPresent([HAR.Page].self, forKey: .pages)
        entries = try log.decode([Entry].self, forKey: .entries)
        comment = try log.decodeIfPresent(String.self, forKey: .comment)
    }

    public func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: RootKey.self)
        var log = root.nestedContainer(keyedBy: LogKey.self, forKey: .log)
        try log.encode(version, forKey: .version)
        try log.encode(creator, forKey: .creator)
        try log.encodeIfPresent(browser, forKey: .browser)
        try log.encodeIfPresent(pages, forKey: .pages)
        try log.encode(entries, forKey: .entries)
        try log.encodeIfPresent(comment, forKey: .comment)
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
            self = try JSONDecoder().decode(HAR.self, from: Data(data.dropFirst(mark)))
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
            return try encoder.encode(self)
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
