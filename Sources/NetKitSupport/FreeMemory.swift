import Foundation

/// Returns unused memory to the system.
package enum FreeMemory {
    typealias Trim = @convention(c) (Int) -> Int32

    /// The C library's `malloc_trim`, or nil where there is none.
    ///
    /// Only glibc has it.
    ///
    /// It is looked up by name, because the C library's module doesn't export it.
    static let trim: Trim? = {
        #if canImport(Glibc)
        guard let symbol = dlsym(nil, "malloc_trim") else { return nil }
        return unsafeBitCast(symbol, to: Trim.self)
        #else
        return nil
        #endif
    }()

    /// Returns all free heap memory to the system.
    ///
    /// URLSession allocates for each 16 KiB of a body on whichever thread it runs. glibc keeps a heap per thread, and
    /// freed memory stays there: 20 MiB or more after a gigabyte. Trimming takes about a millisecond and blocks other
    /// allocations meanwhile.
    package static func giveBack() {
        _ = trim?(0)
    }
}

/// Counts bytes to decide when to trim memory.
package struct TrimCounter {
    /// The number of bytes between two trims.
    let interval: Int
    private var count = 0

    package init(every interval: Int) {
        self.interval = interval
    }

    /// Adds to the count.
    ///
    /// - Parameter bytes: The number of bytes to add.
    /// - Returns: Whether it is time to trim memory.
    package mutating func add(_ bytes: Int) -> Bool {
        count += bytes
        guard count >= interval else { return false }
        count = 0
        return true
    }
}
