import Foundation

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
