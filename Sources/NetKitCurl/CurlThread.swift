internal import CLibcurl

/// A thread of a transport.
enum CurlThread {
    /// The way to start one: runs a closure on a new thread, and returns 0 or the error of the system.
    typealias Start = @Sendable (_ body: @escaping @Sendable () -> Void) -> Int32

    /// Starts a thread.
    ///
    /// `Thread` of Foundation doesn't tell when the system refuses one.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let context = Unmanaged.passRetained(Body(run: body))
        let result = nk_thread_start("NetKitCurl", context.toOpaque()) { context in
            guard let context else { return }
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }
        if result != 0 { context.release() }
        return result
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
