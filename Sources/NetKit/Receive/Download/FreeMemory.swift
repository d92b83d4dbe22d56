import Foundation

/// Gives memory back to the system that nobody uses.
enum FreeMemory {
    private typealias Trim = @convention(c) (Int) -> Int32

    /// Nil where the C library has none, which is everywhere but with glibc.
    ///
    /// The name is looked up, as the module of the C library does not have it.
    private static let trim: Trim? = {
        #if canImport(Glibc)
        guard let symbol = dlsym(nil, "malloc_trim") else { return nil }
        return unsafeBitCast(symbol, to: Trim.self)
        #else
        return nil
        #endif
    }()

    /// Gives back what there is.
    ///
    /// URLSession allocates for each 16 KiB of a body, on whichever thread it runs, and glibc keeps a heap for
    /// each thread: what is freed in them stays there, 20 MiB and more after a gigabyte. It takes about a
    /// millisecond, during which others that allocate wait.
    static func giveBack() {
        _ = trim?(0)
    }
}

/// Counts bytes, and says when so many have passed that memory is to be given back.
struct TrimCounter {
    /// After how many bytes that is.
    let interval: Int
    private var count = 0

    init(every interval: Int) {
        self.interval = interval
    }

    /// Adds bytes.
    ///
    /// - Returns: Whether memory is to be given back now.
    mutating func add(_ bytes: Int) -> Bool {
        count += bytes
        guard count >= interval else { return false }
        count = 0
        return true
    }
}
