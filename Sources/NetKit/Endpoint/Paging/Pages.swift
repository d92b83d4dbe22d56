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
    let otherOrigins: OtherOrigins

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
        private var last: Page<R.ResponseObjectType>?
        private var trail: LinkTrail?
        /// The addresses that were asked.
        private var asked: Set<String> = []
        private var isOver = false

        init(pages: Pages) {
            self.pages = pages
        }

        /// The next page, nil behind the last one.
        ///
        /// - Returns: The page.
        /// - Throws: As said at ``Pages``.
        public mutating func next() async throws -> Page<R.ResponseObjectType>? {
            guard !isOver else { return nil }
            // It stays so unless there is another page.
            isOver = true
            guard let response = try await nextResponse() else { return nil }
            isOver = false
            let index = last.map { $0.index + 1 } ?? 0
            let page = Page(value: response.value, http: response.http, index: index)
            last = page
            return page
        }

        private mutating func nextResponse() async throws -> Response<R.ResponseObjectType>? {
            guard let last else {
                guard pages.maximumPages > 0 else { throw tooManyPages }
                return try await first()
            }
            guard let step = pages.next.step(last) else { return nil }
            guard last.index + 1 < pages.maximumPages else { throw tooManyPages }
            switch step {
            case .link(let reference):
                return try await linked(reference, from: last.http.url)
            case .item(let name, let value):
                return try await moved(to: QueryAddress(firstURL).replacing(name, with: value))
            case .count(let name, let first, let step):
                let address = QueryAddress(try firstURL)
                let number = (address.number(of: name) ?? first)
                    .advanced(by: step, times: last.index + 1)
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
            trail = encoded.origin.map { LinkTrail(from: $0, otherOrigins: pages.otherOrigins) }
            asked = [encoded.url.absoluteString]
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
            guard asked.insert(url.absoluteString).inserted else {
                throw PagingFailure.repeatedRequest(RedactedURL(url).description)
            }
        }
    }
}

extension Pages.AsyncIterator: CustomReflectable {
    /// Shows how many requests were sent, and none of their URLs.
    public var customMirror: Mirror { Mirror(self, children: ["requests": asked.count]) }
}

extension Endpoint {
    /// The pages of `request`, as far as they go.
    ///
    /// Nothing is sent before somebody reads, and the next page is asked for when it is wanted. Everything
    /// about the request stays as it is but what says which page it is. A request that would be sent a second time
    /// ends the pages with ``PagingFailure/repeatedRequest(_:)``. Downloads have no pages.
    ///
    /// - Parameters:
    ///   - request: Asks for the first page.
    ///   - next: How the others are found. Defaults to the `Link` field.
    ///   - maximumPages: How many pages are asked for; if there is one more, the pages end with
    ///     ``PagingFailure/tooManyPages(maximum:)``. Defaults to 1000.
    ///   - otherOrigins: What happens if the next page is at another origin. It is refused by default.
    /// - Returns: The pages.
    public func pages<R: Request>(
        of request: R,
        by next: NextPage<R> = .link,
        maximumPages: Int = 1_000,
        otherOrigins: OtherOrigins = .refuse
    ) -> Pages<R> {
        Pages(
            endpoint: self,
            request: request,
            next: next,
            maximumPages: maximumPages,
            otherOrigins: otherOrigins
        )
    }
}

/// Why ``Pages`` end before the last one; addresses are without user, password and query values.
public enum PagingFailure: Error, Hashable, Sendable {
    /// The next page is at another origin than the request, or the page that names it came from there.
    ///
    /// See ``OtherOrigins``.
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
        case .otherOrigin(let address): "the next page is at another origin: \(address)"
        case .invalidLink(let address): "the next page cannot be asked for: \(address)"
        case .repeatedRequest(let address): "the next page was asked for already: \(address)"
        case .tooManyPages(let maximum): "there are more pages than \(maximum)"
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
