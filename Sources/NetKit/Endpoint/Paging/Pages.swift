import Foundation

/// The pages of a request, asked for one after the other, each when somebody wants it.
///
/// Each iterator begins with the first page. Reading throws the call's typed ``ErrorResponse`` if a page
/// fails, `.cancelled` after a cancel, and ``PagingFailure`` if there is no way on to the next page;
/// it is over then. Leaving the loop asks for nothing more.
public struct Pages<R: Request>: AsyncSequence, Sendable {
    let endpoint: Endpoint
    let request: R
    let next: NextPage<R>
    let maximumPages: Int
    let followsOtherOrigins: Bool

    /// Begins with the first page; nothing is sent before it is asked for.
    ///
    /// - Returns: The one who reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: self)
    }

    /// Reads pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pages: Pages
        /// The page behind which the next one comes.
        private var last: Response<R.ResponseObjectType>?
        private var count = 0
        private var trail: LinkTrail?
        private var asked = AskedURLs()
        private var isOver = false

        init(pages: Pages) {
            self.pages = pages
        }

        /// The next page, nil behind the last one.
        ///
        /// - Returns: The page.
        /// - Throws: As said at ``Pages``.
        public mutating func next() async throws -> Response<R.ResponseObjectType>? {
            guard !isOver else { return nil }
            // It stays so unless there is another page.
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
                return try await moved(to: QueryAddress(firstURL).replacing(name, with: value))
            case .count(let name, let first, let step):
                let address = QueryAddress(try firstURL)
                let number = (address.number(of: name) ?? first)
                    .advanced(by: step, times: count)
                return try await moved(to: address.replacing(name, with: "\(number)"))
            }
        }

        /// The URL of the first request, as the endpoint would send it now.
        private var firstURL: URL {
            get throws { try pages.endpoint.call(pages.request).encoded().url }
        }

        private var tooManyPages: PagingFailure { .tooManyPages(maximum: pages.maximumPages) }

        private mutating func first() async throws -> Response<R.ResponseObjectType> {
            try pages.request.refuseDownload(to: "to page through")
            let call = pages.endpoint.call(pages.request)
            let encoded = try call.encoded()
            trail = encoded.origin.map {
                LinkTrail(from: $0, followsOtherOrigins: pages.followsOtherOrigins)
            }
            asked = AskedURLs()
            _ = asked.insert(encoded.url)
            return try await pages.endpoint.run(call)
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
                throw ErrorResponse<R.ErrorType>.invalidRequest(InvalidRequest(.invalidURL(url)))
            }
            return try await send(pages.endpoint.call(pages.request, .moved(to: url)))
        }

        private mutating func send(_ call: Call<R>) async throws -> Response<R.ResponseObjectType> {
            try remember(call.encoded().url)
            return try await pages.endpoint.run(call)
        }

        private mutating func remember(_ url: URL) throws {
            guard asked.insert(url) else {
                throw PagingFailure.repeatedRequest(RedactedURL(url).description)
            }
        }
    }
}

/// The URLs of the requests so far.
///
/// They may hold secrets, so that printing shows their number alone.
private struct AskedURLs: Concealed {
    private var urls: Set<String> = []

    /// Adds a URL; false if it was there.
    mutating func insert(_ url: URL) -> Bool { urls.insert(url.absoluteString).inserted }

    var description: String { "\(urls.count) requests" }
}

extension Pages {
    /// What is on the pages, without the pages: `pages.items(\.articles)`.
    ///
    /// The next page is asked for when everything on this one was read; a page with nothing on it is passed over.
    /// Reading throws what reading the pages throws, and is over then.
    ///
    /// - Parameter items: What is on a page, in order.
    /// - Returns: All of it, read page by page.
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
    /// The pages of `request`, as far as they go.
    ///
    /// Nothing is sent before somebody reads, and the next page is asked for when it is wanted. Everything
    /// about the request stays as it is but what says which page it is. A request that would be sent a second time
    /// ends the pages with ``PagingFailure/repeatedRequest(_:)``. Downloads have no pages.
    ///
    /// To another origin, another scheme, host or port (RFC 6454, section 4), the request goes without credentials and
    /// whatever is marked sensitive or has a name that speaks of a secret, without header fields, query and user name of
    /// the endpoint, and without interceptors, authentication and retriers. They do not come back behind it. Links from
    /// https to http are never followed.
    ///
    /// - Parameters:
    ///   - request: Asks for the first page.
    ///   - next: How the others are found. Defaults to the `Link` field.
    ///   - maximumPages: How many pages are asked for; if there is one more, the pages end with
    ///     ``PagingFailure/tooManyPages(maximum:)``. Defaults to 1000.
    ///   - followsOtherOrigins: Whether to follow a link to another origin, without credentials and anything else of
    ///     the endpoint. By default such a link ends the pages with ``PagingFailure/otherOrigin(_:)``.
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

/// Why ``Pages`` end before the last one; addresses are without user, password and query values.
public enum PagingFailure: Error, Hashable, Sendable {
    /// The next page is at another origin than the request, or the page that names it came from there.
    ///
    /// See ``Endpoint/pages(of:by:maximumPages:followsOtherOrigins:)``.
    case otherOrigin(String)
    /// The address of the next page is no http or https URL, or it is http and the page came by https.
    case invalidLink(String)
    /// The next request is one that was sent already: the pages run in a circle.
    case repeatedRequest(String)
    /// There are more pages than were allowed for.
    case tooManyPages(maximum: Int)
}

extension PagingFailure: CallError, CustomStringConvertible {
    /// One lower-case line without secrets.
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
