public import Foundation
package import NetKit

/// A log of HTTP exchanges in the HAR 1.2 format of browser developer tools.
///
/// See the [specification](http://www.softwareishard.com/blog/har-12-spec/). ``HARRecorder`` records a log, and the
/// `ReplayTransport` of NetKitTesting replays it. To inspect a log, open its file in a browser or decode ``data()``.
/// Reading a log drops custom fields of other programs, which begin with `_`.
///
/// Two logs are equal if they encode to the same JSON.
public struct HAR: Hashable, Sendable {
    /// The version of the format: `1.2`.
    package var version = "1.2"
    /// The program that wrote the log.
    package var creator: Creator
    /// The browser that made the exchanges, if any.
    package var browser: Creator?
    /// The pages that the exchanges belong to, or nil if there are none.
    package var pages: [HAR.Page]?
    /// The exchanges.
    package var entries: [Entry]
    /// A comment on the log.
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

    /// A program that writes logs.
    package struct Creator: Sendable {
        /// The name of the program.
        package var name: String
        /// The version of the program.
        package var version: String
        /// A comment on the program.
        package var comment: String?

        /// Creates a description of a program.
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
    /// Parses a log.
    ///
    /// - Parameter data: The JSON of a HAR file, with or without a byte order mark.
    /// - Throws: ``HARError``, which names the position of the problem.
    public init(data: Data) throws(HARError) {
        let file: JSONValue
        do throws(JSONSyntaxError) {
            file = try JSONText.value(of: data)
        } catch {
            throw HARError(.invalid, "not JSON: \(error)")
        }
        do throws(HARProblem) {
            let file = try HARReader(file)
            self = try file.required("log", try file.object("log"))
        } catch {
            throw HARError(.invalid, error.description)
        }
    }

    /// Reads a log from a file.
    ///
    /// - Parameter file: The URL of the file.
    /// - Throws: ``HARError`` if the file can't be read or isn't a HAR file.
    public init(contentsOf file: URL) throws(HARError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw HARError(.unreadable, "\(file.path): \(error.localizedDescription)")
        }
        do {
            self = try HAR(data: data)
        } catch {
            throw HARError(error.kind, "\(file.path): \(error.reason)")
        }
    }

    /// Encodes the log as a HAR file: pretty-printed JSON in UTF-8 with sorted keys.
    ///
    /// - Returns: The bytes of the file.
    /// - Throws: ``HARError`` if a time isn't finite or a date is outside of the years 0 to 9999.
    public func data() throws(HARError) -> Data {
        let file = JSONValue.object(["log": json])
        do throws(Unencodable) {
            // JSONEncoder would write an invalid number.
            _ = try JSONValueWriter.text(of: file)
        } catch {
            throw HARError(.invalid, "\(error.keyPath(below: "")): neither a number nor a date")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(file)
        } catch {
            throw HARError(.invalid, "\(error)")
        }
    }

    /// Writes the log to a file, atomically replacing an existing one.
    ///
    /// - Parameter file: The URL of the file, in an existing folder.
    /// - Throws: ``HARError`` if the log can't be encoded or written.
    public func write(to file: URL) throws(HARError) {
        let data = try data()
        do {
            try data.write(to: file, options: .atomic)
        } catch {
            throw HARError(.unwritable, "\(file.path): \(error.localizedDescription)")
        }
    }
}

extension HAR: EqualByKey {
    package var equalityKey: JSONValue { json }
}

extension HAR: HARObject {
    init(_ log: HARReader) throws(HARProblem) {
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
    init(_ creator: HARReader) throws(HARProblem) {
        name = try creator.requiredText("name")
        version = try creator.requiredText("version")
        comment = try creator.text("comment")
    }

    var json: JSONValue {
        .object(["name": .of(name), "version": .of(version), "comment": .of(comment)])
    }
}
