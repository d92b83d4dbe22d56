import Foundation
public import NetKit

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
        private var trail: LinkTrail?
        private var asked = AskedURLs()
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
                return try await moved(to: QueryAddress(firstURL).replacing(name, with: value))
            case .count(let name, let first, let step):
                let address = QueryAddress(try firstURL)
                let number = (address.number(of: name) ?? first)
                    .advanced(by: step, times: count)
                return try await moved(to: address.replacing(name, with: "\(number)"))
            }
        }

        /// The URL of the first request as the endpoint would send it now.
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
                throw ErrorResponse<R.ErrorType>
                    .invalidRequest(InvalidRequest(.invalidURL(""), "it is no URL"))
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

/// The URLs requested so far.
///
/// They may contain secrets, so the description shows only their number.
private struct AskedURLs: Concealed {
    private var urls: Set<String> = []

    /// Inserts a URL and returns whether it is new.
    mutating func insert(_ url: URL) -> Bool { urls.insert(url.absoluteString).inserted }

    var description: String { "\(urls.count) requests" }
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
