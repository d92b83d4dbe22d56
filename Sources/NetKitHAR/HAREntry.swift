package import Foundation
import NetKit

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
        package struct State: Sendable {
            /// The expiration date as ISO 8601 text.
            package var expires: String?
            /// The date of the last use as ISO 8601 text.
            package var lastAccess: String
            /// The entity tag.
            package var eTag: String
            /// The number of uses.
            package var hitCount: Int
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
        lastAccess = try state.requiredText("lastAccess")
        eTag = try state.requiredText("eTag")
        hitCount = try state.required("hitCount", try state.integer("hitCount"))
        comment = try state.text("comment")
    }

    var json: JSONValue {
        .object([
            "expires": .of(expires), "lastAccess": .of(lastAccess), "eTag": .of(eTag),
            "hitCount": .of(hitCount), "comment": .of(comment),
        ])
    }
}
