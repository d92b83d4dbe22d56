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
            // Of these files alone: the test's own process opens and closes others meanwhile.
            func descriptors() throws -> Int {
                let files = FileManager.default
                return try files.contentsOfDirectory(atPath: "/dev/fd")
                    .compactMap { try? files.destinationOfSymbolicLink(atPath: "/dev/fd/\($0)") }
                    .count { $0.hasPrefix(folder.path) || $0 == "/dev/null" }
            }
            let before = try descriptors()
            for (name, isExpected) in Self.refusals {
                do throws(LockedFile.Problem) {
                    _ = try LockedFile(name.hasPrefix("/") ? name : path(name), creating: false)
                    Issue.record("\(name) is opened")
                } catch {
                    #expect(isExpected(error), "\(name): \(error)")
                }
                #expect(try descriptors() == before, "\(name)")
            }
            withExtendedLifetime(writer) { _ = close(reader) }
        }
    }

    @Test("is in use only if another writer has the lock")
    func lockProblems() {
        guard case .inUse = LockedFile.Problem(ofLock: EWOULDBLOCK) else {
            Issue.record("it is locked")
            return
        }
        for code in [ENOSYS, EOPNOTSUPP, ENOLCK, EINTR] {
            guard case .errno(code) = LockedFile.Problem(ofLock: code) else {
                Issue.record("\(code) isn't another writer")
                continue
            }
        }
    }

    // Elsewhere, the paths of descriptors aren't links.
    @Test(
        "is free once it is released, even if a starting process still has it open",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"))
    )
    func release() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("netkit-locked-\(UUID())").path
        defer { unlink(path) }
        var file: LockedFile? = try LockedFile(path, creating: true)
        // What such a process has.
        let copies = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd")
            .filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/dev/fd/\($0)"))
                    == path
            }
            .compactMap { Int32($0) }
            .map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        withExtendedLifetime(file) {}
        file = nil
        _ = try LockedFile(path, creating: false)
    }
}
