public import Foundation

/// A log of HTTP exchanges in the format that browsers' developer tools read and write: HAR 1.2
/// (<http://www.softwareishard.com/blog/har-12-spec/>).
///
/// ``HARRecorder`` gathers one, and `ReplayTransport` of NetKitTesting answers from one. To look into a log, open its
/// file in a browser, or decode ``data()``. Fields of others, which begin with `_`, are left out when a log is read.
public struct HAR: Sendable {
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
    package struct Creator: Sendable {
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
        let file: JSONValue
        do throws(JSONSyntaxError) {
            file = try JSONText.value(of: data)
        } catch {
            throw HARFailure(.invalid, "it is no JSON: \(error)")
        }
        do throws(HARFlaw) {
            let file = try HARReader(file)
            self = try file.required("log", try file.object("log"))
        } catch {
            throw HARFailure(.invalid, error.description)
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
        let file = JSONValue.object(["log": json])
        do throws(Unencodable) {
            // JSONEncoder would write a number that is none.
            var writer = JSONValueWriter()
            try writer.write(file, depth: 0)
        } catch {
            throw HARFailure(.invalid, "\(error.keyPath(below: "")): neither a number nor a date")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(file)
        } catch {
            throw HARFailure(.invalid, "\(error)")
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

extension HAR: Hashable {
    /// Whether both are written alike.
    public static func == (left: HAR, right: HAR) -> Bool { left.json == right.json }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(json)
    }
}

extension HAR: HARObject {
    init(_ log: HARReader) throws(HARFlaw) {
        creator = try log.required("creator", try log.object("creator"))
        entries = try log.required("entries", try log.list("entries"))
        version = try log.text("version") ?? "1.1"
        browser = try log.object("browser")
        pages = try log.list("pages")
        comment = try log.text("comment")
    }

    var json: JSONValue {
        .object([
            "version": .of(version), "creator": creator.json, "browser": browser?.json,
            "pages": .of(pages), "entries": .of(entries), "comment": .of(comment),
        ])
    }
}

extension HAR.Creator: HARObject {
    init(_ creator: HARReader) throws(HARFlaw) {
        name = try creator.requiredText("name")
        version = try creator.requiredText("version")
        comment = try creator.text("comment")
    }

    var json: JSONValue {
        .object(["name": .of(name), "version": .of(version), "comment": .of(comment)])
    }
}
