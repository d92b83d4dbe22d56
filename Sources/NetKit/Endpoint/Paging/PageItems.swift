/// What is on the pages of a request, one after the other, in the order of the pages.
///
/// The next page is asked for when everything on this one was read; a page with nothing on it is passed
/// over. Reading throws what ``Pages`` throw, and is over then.
public struct PageItems<R: Request, Element: Sendable>: AsyncSequence, Sendable {
    let pages: Pages<R>
    let items: @Sendable (R.ResponseObjectType) -> [Element]

    /// Begins with the first page.
    ///
    /// - Returns: The one who reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), items: items)
    }

    /// Reads what is on the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: Pages<R>.AsyncIterator
        private let items: @Sendable (R.ResponseObjectType) -> [Element]
        private var rest = [Element]().makeIterator()

        init(
            pages: Pages<R>.AsyncIterator,
            items: @escaping @Sendable (R.ResponseObjectType) -> [Element]
        ) {
            self.pages = pages
            self.items = items
        }

        /// The next item, nil behind the last one of the last page.
        ///
        /// - Returns: The item.
        /// - Throws: What ``Pages`` throw.
        public mutating func next() async throws -> Element? {
            while true {
                if let item = rest.next() { return item }
                guard let page = try await pages.next() else { return nil }
                rest = items(page.value).makeIterator()
            }
        }
    }
}

extension Pages {
    /// What is on the pages, without the pages: `pages.items(\.articles)`.
    ///
    /// - Parameter items: What is on a page, in order.
    /// - Returns: All of it, read page by page.
    public func items<Items: Sequence & SendableMetatype>(
        _ items: @escaping @Sendable (R.ResponseObjectType) -> Items
    ) -> PageItems<R, Items.Element> {
        PageItems(pages: self) { Array(items($0)) }
    }
}
