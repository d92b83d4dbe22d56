package import Foundation

extension HAR {
    /// One exchange: a request, and what came of it.
    package struct Entry: Hashable, Sendable {
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
    package struct Timings: Hashable, Sendable {
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
    package struct Cache: Codable, Hashable, Sendable {
        /// What it had before the request; nil where it is not known.
        package var beforeRequest: State?
        /// What it had after the request; nil where it is not known.
        package var afterRequest: State?
        /// What there is to say about it.
        package var comment: String?

        /// Makes a cache of which nothing is known.
        package init() {}

        /// What a cache had.
        package struct State: Codable, Hashable, Sendable {
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

extension HAR.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case pageref, startedDateTime, time, request, response, cache, timings
        case serverIPAddress, connection, comment
    }

    package init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        pageref = try entry.decodeIfPresent(String.self, forKey: .pageref)
        startedDateTime = try entry.decode(HARDate.self, forKey: .startedDateTime)
        request = try entry.decode(HAR.Request.self, forKey: .request)
        response = try entry.decode(HAR.Response.self, forKey: .response)
        cache = try entry.decodeIfPresent(HAR.Cache.self, forKey: .cache) ?? HAR.Cache()
        timings =
            try entry.decodeIfPresent(HAR.Timings.self, forKey: .timings)
            ?? HAR.Timings(wait: 0, receive: 0)
        time = try entry.decodeIfPresent(Double.self, forKey: .time) ?? timings.sum
        serverIPAddress = try entry.decodeIfPresent(String.self, forKey: .serverIPAddress)
        connection = try entry.decodeIfPresent(String.self, forKey: .connection)
        comment = try entry.decodeIfPresent(String.self, forKey: .comment)
    }
}

extension HAR.Timings: Codable {
    private enum CodingKeys: String, CodingKey {
        case blocked, dns, connect, send, wait, receive, ssl, comment
    }

    package init(from decoder: any Decoder) throws {
        let timings = try decoder.container(keyedBy: CodingKeys.self)
        blocked = try timings.decodeIfPresent(Double.self, forKey: .blocked)
        dns = try timings.decodeIfPresent(Double.self, forKey: .dns)
        connect = try timings.decodeIfPresent(Double.self, forKey: .connect)
        send = try timings.decodeIfPresent(Double.self, forKey: .send) ?? 0
        wait = try timings.decodeIfPresent(Double.self, forKey: .wait) ?? 0
        receive = try timings.decodeIfPresent(Double.self, forKey: .receive) ?? 0
        ssl = try timings.decodeIfPresent(Double.self, forKey: .ssl)
        comment = try timings.decodeIfPresent(String.self, forKey: .comment)
    }
}
