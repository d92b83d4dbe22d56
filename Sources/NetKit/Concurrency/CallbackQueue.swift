import Dispatch

/// The queue or threads that run an operation's closures.
enum CallbackQueue: Sendable {
    case dispatch(DispatchQueue)
    case threads(CallbackThreads)

    /// Chooses the user's queue, or the platform's default.
    ///
    /// The default is the main queue on Apple platforms. On Linux, where the main queue may not be running, it is
    /// NetKit's threads.
    init(_ queue: DispatchQueue?) {
        #if canImport(Darwin)
        self = .dispatch(queue ?? .main)
        #else
        self = queue.map { .dispatch($0) } ?? .threads(.shared)
        #endif
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .dispatch(let queue): queue.async(execute: work)
        case .threads(let threads): threads.run(work)
        }
    }

    static func == (one: CallbackQueue, other: CallbackQueue) -> Bool {
        switch (one, other) {
        case (.dispatch(let one), .dispatch(let other)): one === other
        case (.threads(let one), .threads(let other)): one === other
        case (.dispatch, .threads), (.threads, .dispatch): false
        }
    }
}
