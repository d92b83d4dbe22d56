public import NetKit

/// A rule for finding the next page of a paged resource.
///
/// ```swift
/// for try await page in endpoint.pages(of: ArticlesRequest(), by: .cursor { $0.next }) {
///     print(page.value)
/// }
/// ```
///
/// ``link`` and ``url(_:)`` request the next page with GET and without a body, whatever the request's method. The
/// other rules resend the request itself with one query item replaced.
public struct NextPage<R: Request>: Sendable {
    /// The way to the next page.
    enum Step: Equatable {
        /// A reference, relative to the page's own URL.
        case link(String)
        /// The request, with an item in its query.
        case item(name: String, value: String)
        /// The request, with an item that counts up.
        case count(name: String, first: Int, step: Int)
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
    /// none.
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
