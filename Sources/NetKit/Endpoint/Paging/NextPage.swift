/// How the page behind another one is found.
///
/// ```swift
/// for try await page in endpoint.pages(of: ArticlesRequest(), by: .cursor { $0.next }) {
///     print(page.value)
/// }
/// ```
///
/// ``link`` and ``address(_:)`` ask for the next page with GET and without a body, whatever the request;
/// the others send the request itself, with one item of its query replaced.
public struct NextPage<R: Request>: Sendable {
    /// What is asked next.
    enum Step: Equatable {
        /// A reference, against the page's own address.
        case link(String)
        /// The request, with an item in its query.
        case item(name: String, value: String)
        /// The request, with an item that counts up.
        case count(name: String, first: Int, step: Int)
    }

    /// What comes behind a page, nil behind the last.
    let step: @Sendable (Response<R.ResponseObjectType>) -> Step?

    init(_ step: @escaping @Sendable (Response<R.ResponseObjectType>) -> Step?) {
        self.step = step
    }
}

extension NextPage {
    /// The first link of the page's `Link` fields with the relation `next` (RFC 8288); the last page has none.
    ///
    /// It is resolved against the address that the page came from (RFC 3986, section 5). A link whose
    /// `anchor` is not the page is passed over, and so is one that is malformed.
    public static var link: NextPage {
        NextPage { page in
            let field = page.http.headers[.link].map { LinkField($0) }
            return field?.target(of: "next", in: page.http.url).map { .link($0) }
        }
    }

    /// An address in the decoded page, absolute or relative to the one that the page came from.
    ///
    /// - Parameter next: Finds it; nil or empty behind the last page.
    /// - Returns: How the next page is found.
    public static func address(
        _ next: @escaping @Sendable (R.ResponseObjectType) -> String?
    ) -> NextPage {
        NextPage { page in
            guard let address = next(page.value), !address.isEmpty else { return nil }
            return .link(address)
        }
    }

    /// A value in the decoded page, which becomes an item in the query of the next request.
    ///
    /// It takes the place of items of the same name, and else comes last.
    ///
    /// - Parameters:
    ///   - name: The item's name. Defaults to `cursor`.
    ///   - next: Finds the value; nil or empty behind the last page.
    /// - Returns: How the next page is found.
    public static func cursor<Cursor: LosslessStringConvertible & Sendable>(
        name: String = "cursor",
        _ next: @escaping @Sendable (R.ResponseObjectType) -> Cursor?
    ) -> NextPage {
        NextPage { page in
            guard let value = next(page.value)?.description, !value.isEmpty else { return nil }
            return .item(name: name, value: value)
        }
    }

    /// An item in the query that says how many elements come before the page.
    ///
    /// The first request is sent as it is. Counting begins with the number that it has under that name,
    /// else with 0.
    ///
    /// - Parameters:
    ///   - name: The item's name. Defaults to `offset`.
    ///   - step: How many elements a page has, at least 1.
    ///   - isLast: Whether a page is the last one, most often because it has fewer elements.
    /// - Returns: How the next page is found.
    public static func offset(
        name: String = "offset",
        step: Int,
        isLast: @escaping @Sendable (R.ResponseObjectType) -> Bool
    ) -> NextPage {
        counting(name, from: 0, by: step, isLast)
    }

    /// An item in the query that says which page it is.
    ///
    /// The first request is sent as it is. Counting begins with the number that it has under that name,
    /// else with `first`.
    ///
    /// - Parameters:
    ///   - name: The item's name. Defaults to `page`.
    ///   - first: The number of the first page. Defaults to 1.
    ///   - isLast: Whether a page is the last one, most often because it is empty.
    /// - Returns: How the next page is found.
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
