/// What the suite `small` asks of a client.
protocol ItemFetching: Sendable {
    /// Fetches and decodes the item `count` times, `inFlight` calls at a time.
    ///
    /// - Parameters:
    ///   - count: How many calls to make, at least 1.
    ///   - inFlight: How many of them are under way at any moment, at least 1.
    /// - Throws: The first call's failure; also when a status is not 200 or a value is not
    ///   `Item.sample`.
    func fetchItems(_ count: Int, inFlight: Int) async throws
}

/// A client whose calls are `async` functions.
protocol AsyncItemFetching: ItemFetching {
    /// Fetches and decodes the item once.
    func fetchItem() async throws -> Item
}

extension AsyncItemFetching {
    func fetchItems(_ count: Int, inFlight: Int) async throws {
        let budget = CallBudget(count)
        guard inFlight > 1 else { return try await spend(budget) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<inFlight {
                group.addTask { try await spend(budget) }
            }
            try await group.waitForAll()
        }
    }

    private func spend(_ budget: CallBudget) async throws {
        while budget.take() {
            guard try await fetchItem() == .sample else { throw WrongAnswer.value }
        }
    }
}
