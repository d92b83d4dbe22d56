package import Foundation

extension HAR {
    /// One exchange: a request, and what came of it.
    package struct Entry: Sendable {
        /// The page that it was made for, by its id.
        package var pageref: String?
        private var startedDateTime: HARDate
        /// How long it took, in milliseconds: the sum of the ``timings`` that apply.
        package var time: Double
        /// What was sent.
        package var request: HAR.Request
        /// What came back; with status 0 where nothing did.
        package var response: HAR.Response
        /// What a cache had of it.
        package var cache = Cache()
        /// How long the parts of it took.
        package var timings: Timings
        /// The address that the server's name stands for.
        package var serverIPAddress: String?
        /// What tells connections apart.
        package var connection: String?
        /// What there is to say about it.
        package var comment: String?

        /// When it began, to the millisecond.
        package var start: Date {
            get { startedDateTime.date }
            set { startedDateTime = HARDate(newValue) }
        }

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - start: When it began.
        ///   - request: What was sent.
        ///   - response: What came back.
        ///   - timings: How long the parts of it took; ``time`` is their sum.
        package init(start: Date, request: HAR.Request, response: HAR.Response, timings: Timings) {
            startedDateTime = HARDate(start)
            time = timings.sum
            self.request = request
            self.response = response
            self.timings = timings
        }
    }

    /// How long the parts of an exchange took, in milliseconds; -1 for those that do not apply.
    package struct Timings: Sendable {
        /// Waiting for a place or a connection.
        package var blocked: Double?
        /// Looking up the server's name.
        package var dns: Double?
        /// Connecting, ``ssl`` included.
        package var connect: Double?
        /// Sending the request.
        package var send: Double
        /// From the request's last byte to the response's first.
        package var wait: Double
        /// Reading the response.
        package var receive: Double
        /// The TLS handshake.
        package var ssl: Double?
        /// What there is to say about it.
        package var comment: String?

        /// Makes timings.
        ///
        /// - Parameters:
        ///   - blocked: Waiting for a place or a connection; nil, the default, where it is not known.
        ///   - send: Sending the request. Defaults to 0.
        ///   - wait: From the request's last byte to the response's first.
        ///   - receive: Reading the response.
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

        /// What ``Entry/time`` is: all of them but those that do not apply, and ``ssl`` within ``connect``.
        package var sum: Double {
            [blocked, dns, connect, send, wait, receive].compactMap(\.self)
                .reduce(0) { $0 + max(0, $1) }
        }
    }

    /// What a cache had of an exchange.
    package struct Cache: Sendable {
        /// What it had before the request; nil where it is not known.
        package var beforeRequest: State?
        /// What it had after the request; nil where it is not known.
        package var afterRequest: State?
        /// What there is to say about it.
        package var comment: String?

        /// Makes a cache of which nothing is known.
        package init() {}

        /// What a cache had.
        package struct State: Sendable {
            /// When it expires, as ISO 8601 text.
            package var expires: String?
            /// When it was last used, as ISO 8601 text.
            package var lastAccess: String
            /// Its entity tag.
            package var eTag: String
            /// How often it was used.
            package var hitCount: Int
            /// What there is to say about it.
            package var comment: String?
        }
    }
}

extension HAR.Entry: HARObject {
    init(_ entry: HARReader) throws(HARFlaw) {
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
    init(_ timings: HARReader) throws(HARFlaw) {
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
    init(_ cache: HARReader) throws(HARFlaw) {
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
    init(_ state: HARReader) throws(HARFlaw) {
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
