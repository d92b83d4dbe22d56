import Foundation
import Testing

/// The paths that descriptors of this process lead to and that have `part` in them.
func openFiles(containing part: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return
        names.compactMap { name in
            // One that has been closed in between leads nowhere.
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
                guard let start = buffer.baseAddress else { return nil }
                let count = readlink("/proc/self/fd/\(name)", start, buffer.count)
                guard count > 0 else { return nil }
                let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[..<count]))
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        .filter { part.isEmpty || $0.contains(part) }
}

/// Waits until no descriptor leads there, and records an issue if the test is cancelled before.
///
/// URLSession closes the streams of a body a moment after the call is over.
func expectNoOpenFiles(containing part: String) async {
    await eventually { openFiles(containing: part).isEmpty }
    #expect(openFiles(containing: part).isEmpty)
}

/// Closes the sockets that a process for one test inherited, so that connections of other tests end when those
/// tests end them.
///
/// Swift Testing's processes inherit what is not closed on exec, such as the sockets of URLSession. To be called
/// before there are sockets of one's own.
func closeInheritedSockets() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in names.compactMap({ Int32($0) }) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { continue }
        close(descriptor)
    }
}

#if canImport(Glibc)
private let descriptorResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
private let descriptorResource = RLIMIT_NOFILE
#endif

/// Sets how many descriptors the process may have, and returns how many it could have before.
@discardableResult
func setDescriptorLimit(_ count: rlim_t) -> rlim_t {
    var limit = rlimit()
    getrlimit(descriptorResource, &limit)
    defer {
        limit.rlim_cur = count
        setrlimit(descriptorResource, &limit)
    }
    return limit.rlim_cur
}

/// The number of open descriptors, without those that libdispatch opens at some wait or other, for the life of the
/// process: its queue of events, its own waking, and a timer for each clock.
func openDescriptors(except kinds: [String] = ["[eventpoll]", "[eventfd]", "[timerfd]"]) -> Int {
    openFiles(containing: "").count { path in !kinds.contains(where: path.contains) }
}
