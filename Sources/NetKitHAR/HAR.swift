public import Foundation
package import NetKit
import NetKitSupport

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
        package static var netKit: Creator {
            Creator(name: "NetKit", version: String(UserAgent.standard.dropFirst("NetKit/".count)))
        }
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

extension HAR {
    /// One exchange: a request and its response.
    package struct Entry: Sendable {
        /// The ID of the page that the exchange belongs to.
        package var pageref: String?
        private let startedDateTime: HARDate
        /// The duration in milliseconds: the sum of the ``timings`` that apply.
        package var time: Double
        /// The request as sent.
        package var request: HAR.Request
        /// The response, with status 0 if none arrived.
        package var response: HAR.Response
        /// The state of the cache.
        package var cache = Cache()
        /// The durations of the phases.
        package var timings: Timings
        /// The IP address of the server.
        package var serverIPAddress: String?
        /// The identifier of the connection.
        package var connection: String?
        /// A comment on the exchange.
        package var comment: String?

        /// The start of the exchange, to the millisecond.
        package var start: Date { startedDateTime.date }

        /// Creates an entry, whose ``time`` is the sum of its timings.
        ///
        /// - Parameters:
        ///   - start: The start of the exchange.
        ///   - request: The request as sent.
        ///   - response: The response.
        ///   - timings: The durations of the phases.
        package init(start: Date, request: HAR.Request, response: HAR.Response, timings: Timings) {
            startedDateTime = HARDate(start)
            time = timings.sum
            self.request = request
            self.response = response
            self.timings = timings
        }
    }

    /// The durations of an exchange's phases in milliseconds, or -1 for those that don't apply.
    package struct Timings: Sendable {
        /// The time in the queue for a connection.
        package var blocked: Double?
        /// The time of the name lookup.
        package var dns: Double?
        /// The time of connecting, including ``ssl``.
        package var connect: Double?
        /// The time of sending the request.
        package var send: Double
        /// The time from the request's last byte to the response's first.
        package var wait: Double
        /// The time of reading the response.
        package var receive: Double
        /// The time of the TLS handshake.
        package var ssl: Double?
        /// A comment on the timings.
        package var comment: String?

        /// Creates timings.
        ///
        /// - Parameters:
        ///   - blocked: The time in the queue for a connection. Defaults to nil for unknown.
        ///   - send: The time of sending the request. Defaults to 0.
        ///   - wait: The time from the request's last byte to the response's first.
        ///   - receive: The time of reading the response.
        package init(
            blocked: Double? = nil,
            send: Double = 0,
            wait: Double,
            receive: Double
        ) {
            self.blocked = blocked
            self.send = send
            self.wait = wait
            self.receive = receive
        }

        /// The sum of the timings that apply, which ``Entry/time`` uses.
        ///
        /// ``ssl`` is part of ``connect`` and not added.
        package var sum: Double {
            [blocked, dns, connect, send, wait, receive].compactMap(\.self)
                .reduce(0) { $0 + max(0, $1) }
        }
    }

    /// The state of a cache for an exchange.
    package struct Cache: Sendable {
        /// The state before the request, or nil if unknown.
        package var beforeRequest: State?
        /// The state after the request, or nil if unknown.
        package var afterRequest: State?
        /// A comment on the cache.
        package var comment: String?

        /// Creates an unknown state.
        package init() {}

        /// A cached response.
        ///
        /// Browsers omit members that the format requires.
        package struct State: Sendable {
            /// The expiration date as ISO 8601 text.
            package var expires: String?
            /// The date of the last use as ISO 8601 text.
            package var lastAccess: String?
            /// The entity tag.
            package var eTag: String?
            /// The number of uses.
            package var hitCount: Int?
            /// A comment on the cached response.
            package var comment: String?
        }
    }
}

extension HAR.Entry: HARObject {
    init(_ entry: HARReader) throws(HARProblem) {
        pageref = try entry.text("pageref")
        startedDateTime = try entry.date("startedDateTime")
        request = try entry.required("request", try entry.object("request"))
        response = try entry.required("response", try entry.object("response"))
        cache = try entry.object("cache") ?? HAR.Cache()
        timings = try entry.object("timings") ?? HAR.Timings(wait: 0, receive: 0)
        time = try entry.number("time") ?? timings.sum
        serverIPAddress = try entry.text("serverIPAddress")
        connection = try entry.text("connection")
        comment = try entry.text("comment")
    }

    var json: JSONValue {
        .object([
            "pageref": .of(pageref), "startedDateTime": startedDateTime.json, "time": .of(time),
            "request": request.json, "response": response.json, "cache": cache.json,
            "timings": timings.json, "serverIPAddress": .of(serverIPAddress),
            "connection": .of(connection), "comment": .of(comment),
        ])
    }
}

extension HAR.Timings: HARObject {
    init(_ timings: HARReader) throws(HARProblem) {
        blocked = try timings.number("blocked")
        dns = try timings.number("dns")
        connect = try timings.number("connect")
        send = try timings.number("send") ?? 0
        wait = try timings.number("wait") ?? 0
        receive = try timings.number("receive") ?? 0
        ssl = try timings.number("ssl")
        comment = try timings.text("comment")
    }

    var json: JSONValue {
        .object([
            "blocked": .of(blocked), "dns": .of(dns), "connect": .of(connect), "send": .of(send),
            "wait": .of(wait), "receive": .of(receive), "ssl": .of(ssl), "comment": .of(comment),
        ])
    }
}

extension HAR.Cache: HARObject {
    init(_ cache: HARReader) throws(HARProblem) {
        beforeRequest = try cache.object("beforeRequest")
        afterRequest = try cache.object("afterRequest")
        comment = try cache.text("comment")
    }

    var json: JSONValue {
        .object([
            "beforeRequest": beforeRequest?.json, "afterRequest": afterRequest?.json,
            "comment": .of(comment),
        ])
    }
}

extension HAR.Cache.State: HARObject {
    init(_ state: HARReader) throws(HARProblem) {
        expires = try state.text("expires")
        lastAccess = try state.text("lastAccess")
        eTag = try state.text("eTag")
        hitCount = try state.integer("hitCount")
        comment = try state.text("comment")
    }

    var json: JSONValue {
        .object([
            "expires": .of(expires), "lastAccess": .of(lastAccess), "eTag": .of(eTag),
            "hitCount": .of(hitCount), "comment": .of(comment),
        ])
    }
}

/// An error from reading or writing a HAR file.
public struct HARError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    package enum Kind: Hashable, Sendable {
        /// The file can't be read.
        case unreadable
        /// The file can't be written.
        case unwritable
        /// The content isn't JSON or isn't a HAR file.
        case invalid
    }

    /// The kind of failure.
    package let kind: Kind
    /// The file, if any, and the position and nature of the problem.
    package let reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// A one-line description.
    public var description: String {
        switch kind {
        case .unreadable: "can't read the HAR file: \(reason)"
        case .unwritable: "can't write the HAR file: \(reason)"
        case .invalid: "not a HAR file: \(reason)"
        }
    }
}
