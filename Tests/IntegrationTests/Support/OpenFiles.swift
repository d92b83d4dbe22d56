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
        .filter { $0.contains(part) }
}

/// Waits until no descriptor leads there, and records an issue if one does after ten seconds.
///
/// URLSession closes the streams of a body a moment after the call is over. There may be thousands of
/// descriptors, so that one does not look often.
func expectNoOpenFiles(containing part: String) async {
    for attempt in 1...10 where !openFiles(containing: part).isEmpty {
        try? await Task.sleep(for: .milliseconds(min(20 << attempt, 2000)))
    }
    #expect(openFiles(containing: part).isEmpty)
}
