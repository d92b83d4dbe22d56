import Dispatch

/// The Dispatch sources of one connection: for bytes to read, room to write, and time to pass.
///
/// The latter two are made when they are first needed. A descriptor may be given back only when no
/// source watches it any more, which is when ``cancel()`` calls back.
struct ConnectionSources {
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let hasRoom: @Sendable () -> Void
    private let timeIsUp: @Sendable () -> Void
    private let ended: @Sendable () -> Void
    private let watching = DispatchGroup()
    private let readSource: any DispatchSourceRead
    private var writeSource: (any DispatchSourceWrite)?
    private var isAwaitingRoom = false
    private var timer: (any DispatchSourceTimer)?

    /// Nothing is called before ``activate()``.
    ///
    /// - Parameters:
    ///   - descriptor: The connection's descriptor.
    ///   - queue: Where everything is called.
    ///   - canRead: Called while there is something to read.
    ///   - hasRoom: Called while there is room to write, between ``awaitRoom()`` and
    ///     ``ignoreRoom()``.
    ///   - timeIsUp: Called when the time given to ``wait(_:)`` is over.
    ///   - ended: Called once, when the descriptor is no longer watched.
    init(
        descriptor: Int32,
        queue: DispatchQueue,
        canRead: @escaping @Sendable () -> Void,
        hasRoom: @escaping @Sendable () -> Void,
        timeIsUp: @escaping @Sendable () -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.hasRoom = hasRoom
        self.timeIsUp = timeIsUp
        self.ended = ended
        readSource = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        readSource.setEventHandler(handler: canRead)
        watching.enter()
        readSource.setCancelHandler { [watching] in watching.leave() }
    }

    /// Begins to watch for bytes.
    func activate() {
        readSource.activate()
    }

    /// Calls `hasRoom` again and again while there is room to write.
    mutating func awaitRoom() {
        guard !isAwaitingRoom else { return }
        isAwaitingRoom = true
        if let writeSource { return writeSource.resume() }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: hasRoom)
        watching.enter()
        source.setCancelHandler { [watching] in watching.leave() }
        source.activate()
        writeSource = source
    }

    /// Ends ``awaitRoom()``.
    mutating func ignoreRoom() {
        guard isAwaitingRoom else { return }
        isAwaitingRoom = false
        writeSource?.suspend()
    }

    /// Calls `timeIsUp` once, after a time; replaces an earlier time.
    mutating func wait(_ duration: Duration) {
        let timer = timer ?? makeTimer()
        timer.schedule(
            deadline: .now() + .nanoseconds(duration.dispatchNanoseconds),
            leeway: .microseconds(200)
        )
        self.timer = timer
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: timeIsUp)
        timer.activate()
        return timer
    }

    /// Ends everything, once; `ended` is called when the descriptor is no longer watched.
    func cancel() {
        readSource.cancel()
        // An inactive or suspended source would neither call its cancellation handler nor go away.
        readSource.activate()
        timer?.cancel()
        writeSource?.cancel()
        if !isAwaitingRoom { writeSource?.resume() }
        watching.notify(queue: queue, execute: ended)
    }
}

extension Duration {
    /// Whole nanoseconds, not negative, at most 30 years.
    fileprivate var dispatchNanoseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int(min(seconds, 1_000_000_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
