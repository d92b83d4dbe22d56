import Foundation
import Testing

@testable import NetKitSupport

@Suite("Locked file")
struct LockedFileTests {
    private let path = NSTemporaryDirectory() + "NetKitTests-\(UUID().uuidString)"

    /// Opens and locks the file as another process would.
    private func lockedDescriptor() -> Int32 {
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    @Test("waits for a process that has the lock only until it executes its program")
    func momentaryLock() throws {
        let other = lockedDescriptor()
        defer { unlink(path) }
        var pauses = 0
        let file = try LockedFile(path, creating: false) {
            pauses += 1
            if pauses == 3 { close(other) }
        }
        #expect(pauses == 3)
        #expect(file.length == 0)
    }

    @Test("refuses a file that another writer keeps locked, after nine waits")
    func lastingLock() {
        let other = lockedDescriptor()
        defer {
            close(other)
            unlink(path)
        }
        var pauses = 0
        let error = #expect(throws: LockedFile.Problem.self) {
            try LockedFile(path, creating: false) { pauses += 1 }
        }
        guard case .inUse? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(pauses == 9)
    }
}
