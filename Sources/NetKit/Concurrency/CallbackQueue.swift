import Dispatch

/// Where the closures of an operation run.
enum CallbackQueue: Sendable {
    case dispatch(DispatchQueue)
    case threads(CallbackThreads)

    /// The user's queue; without one the main queue on Apple's platforms, and elsewhere, where nothing may be
    /// serving the main queue, threads of NetKit's own.
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
