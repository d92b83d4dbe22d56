import Foundation

/// What this process has used so far.
enum ProcessUsage {
    /// User and system time of all threads, from `getrusage`, in seconds.
    static var cpuSeconds: Double {
        let usage = current
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The most memory that has been resident, in bytes.
    ///
    /// On Linux it is `VmHWM`, since `ru_maxrss` starts at the peak of the process that called
    /// `exec`: a child smaller than its parent would show the parent's.
    static var peakRSS: Int {
        #if os(Linux)
        // Without /proc the inherited figure is the best there is.
        return ProcStatus.bytes("VmHWM") ?? Int(current.ru_maxrss) * 1024
        #else
        return Int(current.ru_maxrss)
        #endif
    }

    private static var current: rusage {
        var usage = rusage()
        #if os(Linux)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
