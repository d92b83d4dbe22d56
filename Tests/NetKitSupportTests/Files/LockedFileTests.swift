import Foundation
import Testing

@testable import NetKitSupport

@Suite("Locked file")
struct LockedFileTests {
    /// The reason why each path is refused.
    private static let refusals:
        [(name: String, isExpected: @Sendable (LockedFile.Problem) -> Bool)] = [
            ("/dev/null", { if case .notRegularFile = $0 { true } else { false } }),
            ("pipe", { if case .notRegularFile = $0 { true } else { false } }),
            ("read pipe", { if case .notRegularFile = $0 { true } else { false } }),
            ("link", { if case .notRegularFile = $0 { true } else { false } }),
            ("locked", { if case .inUse = $0 { true } else { false } }),
            (".", { if case .errno(EISDIR) = $0 { true } else { false } }),
            ("missing", { if case .errno(ENOENT) = $0 { true } else { false } }),
        ]

    @Test("keeps no descriptor of a file that it refuses, whatever the reason")
    func refusals() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("netkit-locked-\(UUID())", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            #expect(mkfifo(path("pipe"), 0o600) == 0 && mkfifo(path("read pipe"), 0o600) == 0)
            let reader = open(path("read pipe"), O_RDONLY | O_NONBLOCK)
            let writer = try LockedFile(path("locked"), creating: true)
            #expect(symlink("locked", path("link")) == 0)
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
            }
            let before = try descriptors()
            for (name, isExpected) in Self.refusals {
                do throws(LockedFile.Problem) {
                    _ = try LockedFile(name.hasPrefix("/") ? name : path(name), creating: false) {}
                    Issue.record("\(name) is opened")
                } catch {
                    #expect(isExpected(error), "\(name): \(error)")
                }
                #expect(try descriptors() == before, "\(name)")
            }
            withExtendedLifetime(writer) { _ = close(reader) }
        }
    }

    // MARK: The lock

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
