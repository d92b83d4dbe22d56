/// The refreshes and the shared work that a call belongs to, for its handlers, which run outside of its task.
struct WorkOrigin: Sendable {
    private let refreshes = BearerAuthentication.refreshing
    private let work = SharedWork.current

    /// Runs a handler, so that the calls that it starts belong to the same.
    func run(_ handler: () -> Void) {
        guard !work.isEmpty else {
            return BearerAuthentication.working(for: refreshes, handler)
        }
        SharedWork.$current.withValue(work) {
            BearerAuthentication.working(for: refreshes, handler)
        }
    }
}
