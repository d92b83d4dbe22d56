import Foundation
public import NetKit
import NetKitSupport

/// An asynchronous sequence of the pages of a request, each requested on demand.
///
/// Each iterator starts with the first page. Leaving the loop sends no further requests. Any error ends the sequence:
///
/// - The call's typed ``ErrorResponse`` if a page fails. Cancellation throws `.cancelled`.
/// - ``PagingFailure`` if the next page can't be requested.
public struct Pages<R: Request>: AsyncSequence, Sendable {
    let endpoint: Endpoint
    let request: R
    let next: NextPage<R>
    let maximumPages: Int
    let followsOtherOrigins: Bool

    /// Creates an iterator that starts with the first page.
    ///
    /// It sends nothing until you read from it.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: self)
    }

    /// An iterator over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pages: Pages
        /// The most recent page.
        private var last: Response<R.ResponseObjectType>?
        private var count = 0
        /// How far the pages so far have moved an item that counts.
        private var distance = 0
        private var trail: LinkTrail?
        private var asked = SentRequests()
        private var isOver = false

        init(pages: Pages) {
            self.pages = pages
        }

        /// Returns the next page, or nil after the last one.
        ///
        /// - Returns: The next page, or nil after the last one.
        /// - Throws: The errors listed at ``Pages``.
        public mutating func next() async throws -> Response<R.ResponseObjectType>? {
            guard !isOver else { return nil }
            // Stays over unless another page arrives.
            isOver = true
            guard let page = try await nextPage() else { return nil }
            isOver = false
            count += 1
            last = page
            return page
        }

        private mutating func nextPage() async throws -> Response<R.ResponseObjectType>? {
            guard let last else {
                guard pages.maximumPages > 0 else { throw tooManyPages }
                return try await first()
            }
            guard let step = pages.next.step(last) else { return nil }
            guard count < pages.maximumPages else { throw tooManyPages }
            switch step {
            case .link(let reference):
                return try await linked(reference, from: last.http.url)
            case .item(let name, let value):
                return try await moved { $0.replacing(name, with: value) }
            case .count(let name, let first, let step):
                distance = distance.clampingAdding(step)
                return try await moved { [distance] address in
                    let number = (address.number(of: name) ?? first).clampingAdding(distance)
                    return address.replacing(name, with: "\(number)")
                }
            case .request(let request):
                try request.refuseDownload(to: "to page through")
                return try await send(pages.endpoint.call(request))
            }
        }

        /// Sends the first request with a changed URL, which is made from the one that it would have now.
        private mutating func moved(
            by change: (QueryAddress) -> String
        ) async throws -> Response<R.ResponseObjectType> {
            let first = pages.endpoint.call(pages.request)
            guard let url = (try? first.encoded())?.url else { return try await send(first) }
            return try await moved(to: change(QueryAddress(url)))
        }

        private var tooManyPages: PagingFailure { .tooManyPages(maximum: pages.maximumPages) }

        private mutating func first() async throws -> Response<R.ResponseObjectType> {
            try pages.request.refuseDownload(to: "to page through")
            let call = pages.endpoint.call(pages.request)
            trail = (try? call.encoded())?.origin
                .map { LinkTrail(from: $0, followsOtherOrigins: pages.followsOtherOrigins) }
            asked = SentRequests()
            return try await send(call)
        }

        private mutating func linked(
            _ reference: String,
            from page: URL
        ) async throws -> Response<R.ResponseObjectType> {
            guard var trail else { throw PagingFailure.invalidLink(RedactedURL(page).description) }
            let address: URL
            do throws(LinkTrail.Refusal) {
                address = try trail.follow(reference, from: page)
            } catch {
                throw PagingFailure(error)
            }
            self.trail = trail
            return try await send(
                pages.endpoint.call(pages.request, at: address, isForeign: trail.hasLeftOrigin)
            )
        }

        private mutating func moved(to url: String) async throws -> Response<R.ResponseObjectType> {
            guard let url = URL(string: url, encodingInvalidCharacters: false) else {
                throw ErrorResponse<R.ErrorType>
                    .invalidRequest(InvalidRequest(.invalidURL(""), "it is no URL"))
            }
            return try await send(pages.endpoint.call(pages.request, .moved(to: url)))
        }

        /// Sends a request, unless it was sent before.
        ///
        /// One that can't be encoded fails in its call, which observers see.
        private mutating func send(_ call: Call<R>) async throws -> Response<R.ResponseObjectType> {
            if let request = try? call.encoded(), !asked.insert(request) {
                throw PagingFailure.repeatedRequest(RedactedURL(request.url).description)
            }
            return try await pages.endpoint.run(call)
        }
    }
}

/// The methods, URLs and bodies of the requests so far, of which each may be long.
private struct SentRequests: Concealed {
    private var digests: Set<[UInt8]> = []

    /// Inserts a request, and returns whether its method with its URL and its bytes in memory is new.
    mutating func insert(_ request: EncodedRequest) -> Bool {
        let line = "\(request.method.rawValue) \(request.url.absoluteString)\n"
        return digests.insert(SHA256.digest(of: Array(line.utf8) + (request.body?.data ?? Data())))
            .inserted
    }

    var shown: String { "\(digests.count) requests" }
}

extension Pages {
    /// Returns the elements of all pages as one sequence, such as `pages.items(\.articles)`.
    ///
    /// The sequence requests the next page once all elements of the current one are read, and skips empty pages.
    /// Reading throws the errors of ``Pages``, which end the sequence.
    ///
    /// - Parameter items: A closure that returns a page's elements, in order.
    /// - Returns: The elements of all pages.
    public func items<Items: Sequence & SendableMetatype>(
        _ items: @escaping @Sendable (R.ResponseObjectType) -> Items
    ) -> ResponseElements<Items.Element> {
        ResponseElements {
            var pages = makeAsyncIterator()
            var rest: Items.Iterator?
            return .init {
                while true {
                    if let item = rest?.next() { return item }
                    guard let page = try await pages.next() else { return nil }
                    rest = items(page.value).makeIterator()
                }
            }
        }
    }
}

extension Endpoint {
    /// Returns the pages of a request as an asynchronous sequence.
    ///
    /// Nothing is sent until you read, and each page is requested on demand. The requests differ only in the item or
    /// the link that selects the page. Sending the same request twice ends the sequence with
    /// ``PagingFailure/repeatedRequest(_:)``. Downloads can't be paged.
    ///
    /// Requests to another origin (a different scheme, host, or port, as in RFC 6454, section 4) are sent without
    /// credentials. They omit the endpoint's header fields, query, and user name, and header fields that are sensitive
    /// or whose names suggest a secret. Interceptors and authentication don't apply to them. The same goes
    /// for all later pages. Links from https to http are never followed.
    ///
    /// - Parameters:
    ///   - request: The request for the first page.
    ///   - next: The rule for finding the next page. Defaults to ``NextPage/link``.
    ///   - maximumPages: The maximum number of pages. One more throws ``PagingFailure/tooManyPages(maximum:)``.
    ///     Defaults to 1000.
    ///   - followsOtherOrigins: Whether to follow links to other origins, without credentials. If `false`, such a link
    ///     throws ``PagingFailure/otherOrigin(_:)``. Defaults to `false`.
    /// - Returns: The pages.
    public func pages<R: Request>(
        of request: R,
        by next: NextPage<R> = .link,
        maximumPages: Int = 1_000,
        followsOtherOrigins: Bool = false
    ) -> Pages<R> {
        Pages(
            endpoint: self,
            request: request,
            next: next,
            maximumPages: maximumPages,
            followsOtherOrigins: followsOtherOrigins
        )
    }
}

/// A reason why paging ended before the last page.
///
/// URLs in it are redacted: they have no user, password, or query values.
public enum PagingFailure: Error, Hashable, Sendable {
    /// The next page is at another origin, or its link came from another origin.
    ///
    /// To allow it, see ``Endpoint/pages(of:by:maximumPages:followsOtherOrigins:)``.
    case otherOrigin(String)
    /// The link isn't an http or https URL, or it downgrades from https to http.
    case invalidLink(String)
    /// The next request was sent already, so the pages form a loop.
    case repeatedRequest(String)
    /// There are more pages than the maximum.
    case tooManyPages(maximum: Int)
}

extension PagingFailure: CallError, CustomStringConvertible {
    /// A one-line lowercase description without secrets.
    public var description: String {
        switch self {
        case .otherOrigin(let address): "the next page is on another origin: \(address)"
        case .invalidLink(let address): "invalid link to the next page: \(address)"
        case .repeatedRequest(let address): "the next page was requested before: \(address)"
        case .tooManyPages(let maximum): "more than \(maximum) pages"
        }
    }
}

extension PagingFailure {
    init(_ refusal: LinkTrail.Refusal) {
        switch refusal {
        case .invalid(let address): self = .invalidLink(address)
        case .otherOrigin(let address): self = .otherOrigin(address)
        }
    }
}

/// A rule for finding the next page of a paged resource.
///
/// ```swift
/// for try await page in endpoint.pages(of: ArticlesRequest(), by: .cursor { $0.next }) {
///     print(page.value)
/// }
/// ```
///
/// ``link`` and ``url(_:)`` request the next page with GET and without a body, whatever the request's method. They drop
/// `Range` and preconditions, such as `If-None-Match`, which are for the first page. ``request(_:)`` sends a request of
/// yours. The other rules resend the request itself with one query item replaced.
public struct NextPage<R: Request>: Sendable {
    /// The way to the next page.
    enum Step {
        /// A reference, relative to the page's own URL.
        case link(String)
        /// The request, with an item in its query.
        case item(name: String, value: String)
        /// The request, with an item that counts up.
        case count(name: String, first: Int, step: Int)
        /// Another request.
        case request(R)
    }

    /// Returns the step to the next page, or nil after the last page.
    let step: @Sendable (Response<R.ResponseObjectType>) -> Step?

    init(_ step: @escaping @Sendable (Response<R.ResponseObjectType>) -> Step?) {
        self.step = step
    }
}

extension NextPage {
    /// A rule that follows the page's first link with the relation `next`.
    ///
    /// The links are those of the page's `Link` fields (RFC 8288). The link is resolved against the URL of the page
    /// (RFC 3986, section 5). Malformed links, and links whose `anchor` isn't the page, are skipped. A page without
    /// such a link is the last one.
    public static var link: NextPage {
        NextPage { page in
            let field = page.http.headers[.link].map { LinkField($0) }
            return field?.target(of: "next", in: page.http.url).map { .link($0) }
        }
    }

    /// Creates a rule that follows a URL in the decoded page.
    ///
    /// The URL is absolute or relative to the page's URL.
    ///
    /// - Parameter next: A closure that returns the URL from the page. Nil or an empty string means the last page.
    /// - Returns: The rule.
    public static func url(
        _ next: @escaping @Sendable (R.ResponseObjectType) -> String?
    ) -> NextPage {
        NextPage { page in
            guard let url = next(page.value), !url.isEmpty else { return nil }
            return .link(url)
        }
    }

    /// Creates a rule that makes the next request from the decoded page, such as one with the cursor in its body.
    ///
    /// ```swift
    /// endpoint.pages(of: SearchRequest(after: nil), by: .request { page in page.end.map { SearchRequest(after: $0) } })
    /// ```
    ///
    /// - Parameter next: A closure that returns the next request. Nil means that the page is the last one.
    /// - Returns: The rule.
    public static func request(
        _ next: @escaping @Sendable (R.ResponseObjectType) -> R?
    ) -> NextPage {
        NextPage { page in next(page.value).map { .request($0) } }
    }

    /// Creates a rule that sends the decoded page's cursor as a query item.
    ///
    /// The item replaces all items of the same name. If there is none, it is appended.
    ///
    /// - Parameters:
    ///   - name: The item's name. Defaults to `cursor`.
    ///   - next: A closure that returns the cursor from the page. Nil or an empty value means the last page.
    /// - Returns: The rule.
    public static func cursor<Cursor: LosslessStringConvertible & Sendable>(
        name: String = "cursor",
        _ next: @escaping @Sendable (R.ResponseObjectType) -> Cursor?
    ) -> NextPage {
        NextPage { page in
            guard let value = next(page.value)?.description, !value.isEmpty else { return nil }
            return .item(name: name, value: value)
        }
    }

    /// Creates a rule that sends the number of preceding elements as a query item.
    ///
    /// The first request is sent unchanged. Counting starts at the item's value in the first request, or at 0 if it has
    /// none. If a server may send fewer elements than the request asks for, use ``offset(name:count:)``.
    ///
    /// - Parameters:
    ///   - name: The item's name. Defaults to `offset`.
    ///   - step: The number of elements per page, at least 1.
    ///   - isLast: A closure that returns whether a page is the last one, usually because it has fewer elements than
    ///     `step`.
    /// - Returns: The rule.
    public static func offset(
        name: String = "offset",
        step: Int,
        isLast: @escaping @Sendable (R.ResponseObjectType) -> Bool
    ) -> NextPage {
        counting(name, from: 0, by: step, isLast)
    }

    /// Creates a rule that sends the number of preceding elements, as they are counted, as a query item.
    ///
    /// The first request is sent unchanged. Counting starts at the item's value in the first request, or at 0 if it has
    /// none. A page without elements is the last one.
    ///
    /// - Parameters:
    ///   - name: The item's name. Defaults to `offset`.
    ///   - count: A closure that returns the number of a page's elements.
    /// - Returns: The rule.
    public static func offset(
        name: String = "offset",
        count: @escaping @Sendable (R.ResponseObjectType) -> Int
    ) -> NextPage {
        NextPage { page in
            let count = count(page.value)
            return count > 0 ? .count(name: name, first: 0, step: count) : nil
        }
    }

    /// Creates a rule that sends the page number as a query item.
    ///
    /// The first request is sent unchanged. Counting starts at the item's value in the first request, or at `first` if
    /// it has none.
    ///
    /// - Parameters:
    ///   - name: The item's name. Defaults to `page`.
    ///   - first: The number of the first page. Defaults to 1.
    ///   - isLast: A closure that returns whether a page is the last one, usually because it is empty.
    /// - Returns: The rule.
    public static func page(
        name: String = "page",
        first: Int = 1,
        isLast: @escaping @Sendable (R.ResponseObjectType) -> Bool
    ) -> NextPage {
        counting(name, from: first, by: 1, isLast)
    }

    private static func counting(
        _ name: String,
        from first: Int,
        by step: Int,
        _ isLast: @escaping @Sendable (R.ResponseObjectType) -> Bool
    ) -> NextPage {
        NextPage { page in
            isLast(page.value) ? nil : .count(name: name, first: first, step: step)
        }
    }
}

/// A URL with one query item to replace.
struct QueryAddress {
    private let front: Substring
    private let items: [Substring]

    /// Splits a percent-encoded URL.
    init(_ url: URL) {
        let text = WrittenPath(url.absoluteString)
        front = text.path
        items = text.query?.split(separator: "&") ?? []
    }

    /// Returns the number in the first item with a name, or nil without one.
    func number(of name: String) -> Int? {
        guard let item = items.first(where: { Self.name(of: $0) == name }) else { return nil }
        let value = item.drop { $0 != "=" }.dropFirst()
        return value.removingPercentEncoding.flatMap { Int($0) }
    }

    /// Returns the URL with a value in place of all items of a name.
    ///
    /// Without such an item, the value is appended.
    func replacing(_ name: String, with value: String) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.append(name, as: .queryValue, to: &bytes)
        bytes.append(UInt8(ascii: "="))
        PercentEncoding.append(value, as: .queryValue, to: &bytes)
        let new = Substring(decoding: bytes, as: UTF8.self)
        let place = items.firstIndex { Self.name(of: $0) == name } ?? items.endIndex
        var all = items
        all.replaceSubrange(place..<min(place + 1, items.endIndex), with: [new])
        let others = all.enumerated()
            .filter { $0.offset <= place || Self.name(of: $0.element) != name }
        return front + "?" + others.map(\.element).joined(separator: "&")
    }

    private static func name(of item: Substring) -> String {
        QueryItem.encoded(name: String(item), value: nil).name
    }
}

extension Int {
    /// Returns the sum, clamped to the range of `Int`.
    func clampingAdding(_ other: Int) -> Int {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }
}
