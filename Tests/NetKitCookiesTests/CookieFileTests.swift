import Foundation
import NetKitSupport
import Testing

@testable import NetKit
@testable import NetKitCookies

@Suite("Cookie file")
final class CookieFileTests: Sendable {
    private let folder: URL
    private let file: URL
    private let url: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("NetKitTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("cookies.json")
        url = try #require(URL(string: "https://www.example.com/a/b"))
    }

    deinit {
        chmod(folder.path, 0o700)
        try? FileManager.default.removeItem(at: folder)
    }

    private var contents: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func error(of file: URL) -> CookieFileError? {
        #expect(throws: CookieFileError.self) { try CookieJar(file: file) }
    }

    @Test("keeps every detail of a persistent cookie")
    func roundTrip() throws {
        let jar = try CookieJar(file: file)
        #expect(try contents == [])
        jar.store(
            [
                "a=\"x\ty\\ä/\u{2028}\"; Max-Age=60; SameSite=Lax; HttpOnly",
                "__Host-b=2; Secure; Path=/; Max-Age=99999999999",
                "c=c; Max-Age=70; SameSite=Strict",
                "d=3; Domain=example.com; Expires=Fri, 31 Dec 9999 23:59:59 GMT", "session=4",
                "e=5; Secure; SameSite=None; Max-Age=80; Path=/x",
            ],
            from: url
        )
        let again = try CookieJar(file: file)
        let lasting = jar.cookies.filter { $0.expires != nil }
        #expect(lasting.map(\.name) == ["a", "__Host-b", "c", "d", "e"])
        #expect(again.cookies == lasting)
        #expect(again.cookies(for: url).map(\.name) == ["a", "c", "d", "__Host-b"])
        #expect(try contents == ["cookies.json"])
    }

    @Test("has no cookie that it couldn't be read with")
    func marks() throws {
        let jar = try CookieJar(file: file)
        let marks = String(repeating: "\u{301}", count: 300)
        jar.store(["a=x\(marks); Max-Age=60", "b=1; Max-Age=60"], from: url)
        #expect(jar.cookies.map(\.name) == ["b"])
        #expect(try CookieJar(file: file).cookies == jar.cookies)
    }

    @Test("is JSON with paths as written and times since 2001")
    func text() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=b/c; Max-Age=60"], from: url, at: cookieDate)
        let text = try String(contentsOf: file, encoding: .utf8)
        for member in [
            #""format":"NetKit cookies 1""#, #""name":"a""#, #""value":"b/c""#, #""path":"/a""#,
            #""creation":824212800"#, #""lastUse":824212800"#, #""expires":824212860"#,
        ] {
            #expect(text.contains(member))
        }
    }

    @Test("is readable by its owner only, and replaced atomically")
    func permissions() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=1; Max-Age=86400"], from: url)
        chmod(file.path, 0o644)
        let link = folder.appendingPathComponent("link")
        try FileManager.default.linkItem(at: file, to: link)
        let old = try Data(contentsOf: file)
        jar.store(["a=2; Max-Age=86400"], from: url)
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        // The old file is not written to.
        #expect(try Data(contentsOf: link) == old)
        #expect(try Data(contentsOf: file) != old)
    }

    @Test("is written only when persistent cookies change")
    func changes() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=1", "b=; Max-Age=0"], from: url)
        #expect(try contents == [])
        jar.store(["a=1; Max-Age=86400"], from: url)
        #expect(try contents == ["cookies.json"])
        try FileManager.default.removeItem(at: file)
        _ = jar.cookies(for: url)
        jar.store(["c=1"], from: url)
        #expect(try contents == [])
        jar.remove { $0.name == "a" }
        #expect(try contents == ["cookies.json"])
        #expect(try CookieJar(file: file).cookies == [])
        jar.insert(try #require(Cookie(setCookie: "d=1; Max-Age=86400", from: url)))
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["d"])
        // A jar doesn't rewrite what it has read.
        let again = try CookieJar(file: file)
        try FileManager.default.removeItem(at: file)
        again.store(["e=1"], from: url)
        #expect(try contents == [])
        jar.removeAll()
        #expect(try contents == ["cookies.json"])
        #expect(try CookieJar(file: file).cookies == [])
    }

    private var inode: ino_t {
        var status = stat()
        return stat(file.path, &status) == 0 ? status.st_ino : 0
    }

    /// A jar with many cookies, in a file without changes.
    private func fill(_ count: Int) throws -> CookieJar {
        let jar = try CookieJar(file: file)
        for host in 0..<(count + 99) / 100 {
            let fields = (0..<100).map { "c\($0)=1; Max-Age=86400" }
            let url = try #require(URL(string: "https://h\(host).test/"))
            jar.store(fields, from: url)
        }
        return jar
    }

    @Test("grows by each change alone, however many cookies it has, until it is written anew")
    func appending() throws {
        let jar = try fill(3_000)
        // Begins with a file without changes.
        try FileManager.default.removeItem(at: file)
        jar.store(["first=1; Max-Age=86400"], from: url)
        let (start, number) = (try Data(contentsOf: file).count, inode)
        var length = start
        for value in 1...200 {
            jar.store(["a=\(value); Max-Age=86400"], from: url)
            let new = try Data(contentsOf: file).count
            #expect(new - length > 0 && new - length < 400)
            length = new
        }
        #expect(inode == number)
        #expect(try CookieJar(file: file).cookies.first { $0.name == "a" }?.value == "200")
        // All that is written for many changes is in proportion to them.
        var (written, current, renewals) = (0, number, 0)
        for value in 1...5_000 {
            jar.store(["a=\(value); Max-Age=86400"], from: url)
            if inode != current {
                // A later file may get the number of one that is gone.
                (current, renewals) = (inode, renewals + 1)
                written += try Data(contentsOf: file).count
            }
        }
        #expect(renewals > 0)
        #expect(written < 5_000 * 600)
        #expect(try Data(contentsOf: file).count < 3 * start)
        #expect(try CookieJar(file: file).cookies.count == jar.cookies.count)
    }

    @Test("has the cookies before a change or after it, wherever the writing was killed")
    func killed() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=1; Max-Age=86400", "b=1; Max-Age=86400"], from: url)
        var states = [jar.cookies.map(\.pair)]
        let start = try Data(contentsOf: file).count
        for fields in [
            ["c=1; Max-Age=86400"], ["a=; Max-Age=0"], ["b=2; Max-Age=86400"],
            ["a=2; Max-Age=9999"],
        ] {
            jar.store(fields, from: url)
            states.append(jar.cookies.map(\.pair))
        }
        let whole = try Data(contentsOf: file)
        var seen: [[String]] = []
        for length in start...whole.count {
            try whole.prefix(length).write(to: file)
            let pairs = try CookieJar(file: file).cookies.map(\.pair)
            if seen.last != pairs { seen.append(pairs) }
        }
        #expect(seen == states)
        // A new jar doesn't append to an incomplete change.
        try whole.prefix(start + 5).write(to: file)
        try CookieJar(file: file).store(["d=1; Max-Age=86400"], from: url)
        #expect(try CookieJar(file: file).cookies.map(\.pair) == ["a=1", "b=1", "d=1"])
    }

    @Test("has nothing left of cookies that were removed, even of those that expired before")
    func removed() throws {
        let jar = try CookieJar(file: file)
        jar.removeAll()
        #expect(!FileManager.default.fileExists(atPath: file.path))
        jar.store(["a=secret1; Max-Age=86400", "b=secret2; Max-Age=99999"], from: url)
        // The clock jumps over the first one's end, and back.
        jar.store(["c=3; Max-Age=99999"], from: url, at: Date() + 90_000)
        jar.remove { $0.name == "b" }
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["c"])
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("secret"))
        jar.removeAll()
        #expect(try CookieJar(file: file).cookies.isEmpty)
    }

    @Test("has nothing left of cookies that were removed while it couldn't be written")
    func removedBeforeFailure() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=1; Max-Age=86400"], from: url)
        let away = folder.appendingPathComponent("away")
        try FileManager.default.moveItem(at: file, to: away)
        // No file can replace a folder.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        jar.removeAll()
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: away, to: file)
        jar.store(["b=1; Max-Age=86400"], from: url)
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["b"])
    }

    @Test(
        "rejects changes that no jar wrote",
        arguments: [
            "\u{1E}\n", "\u{1E}{}\n", "\u{1E}{\"kept\":[1],\"removed\":[]}\n", "\u{1E}x\u{1E}{}\n",
            "\n\u{1E}x\n",
            "\u{1E}{\"kept\":[],\"removed\":[]}\u{1E}{\"kept\":[],\"removed\":[]}\n",
        ]
    )
    func brokenChanges(text: String) throws {
        try Data((Self.document(Self.item) + text).utf8).write(to: file)
        #expect(error(of: file)?.reason == .notCookies)
    }

    @Test("is replaced, not appended to, after another jar or person changed it")
    func changedElsewhere() throws {
        let (jar, other) = (try CookieJar(file: file), try CookieJar(file: file))
        jar.store(["a=1; Max-Age=86400"], from: url)
        jar.store(["b=1; Max-Age=86400"], from: url)
        other.store(["c=1; Max-Age=86400"], from: url)
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["c"])
        jar.store(["d=1; Max-Age=86400"], from: url)
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["a", "b", "d"])
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("garbage".utf8))
        try handle.close()
        jar.store(["e=1; Max-Age=86400"], from: url)
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["a", "b", "d", "e"])
    }

    @Test("returns no expired cookies")
    func expiring() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=1; Max-Age=86400"], from: url, at: Date().addingTimeInterval(-86_401))
        jar.store(["b=1; Max-Age=86400"], from: url)
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["b"])
    }

    @Test("keeps its cookies when the clock is years behind")
    func clockBehind() throws {
        let jar = try CookieJar(file: file)
        jar.store(["a=1; Max-Age=86400"], from: url, at: Date() + 5 * 365 * 86_400)
        for _ in 0..<2 {
            let behind = try CookieJar(file: file)
            #expect(behind.cookies == jar.cookies)
            // Writes it anew.
            behind.remove { _ in false }
        }
    }

    @Test("skips a cookie whose domain has become a public suffix")
    func newSuffix() throws {
        let suffix = Self.item.replacingOccurrences(
            of: #""h.test","isHostOnly":true"#,
            with: #""com","isHostOnly":false"#
        )
        try Data(Self.document("\(suffix),\(Self.item)").utf8).write(to: file)
        #expect(try CookieJar(file: file).cookies.map(\.domain) == ["h.test"])
    }

    private static let item = #"""
        {"name":"a","value":"b","domain":"h.test","isHostOnly":true,"path":"/","expires":9e9,"isSecure":false,
        "isHTTPOnly":false,"creation":1,"lastUse":1e300}
        """#

    private static func document(_ item: String) -> String {
        #"{"format":"NetKit cookies 1","cookies":[\#(item)]}"#
    }

    @Test("accepts manual edits, and clamps dates")
    func written() throws {
        try Data(Self.document(Self.item).utf8).write(to: file)
        let cookie = try #require(try CookieJar(file: file).cookies.first)
        #expect(cookie.pair == "a=b" && cookie.isHostOnly)
        let expires = try #require(cookie.expires)
        #expect(expires <= Date().addingTimeInterval(400 * 86_400))
    }

    @Test(
        "rejects a broken or foreign file, and leaves it unchanged",
        arguments: [
            "", " ", "{}", "[]", "null", "\u{0}", #"{"cookies":[]}"#,
            #"{"format":"NetKit cookies 1"}"#,
            #"{"format":"NetKit cookies 2","cookies":[]}"#, String(repeating: "[", count: 100_000),
            "# Netscape HTTP Cookie File\nh.test\tFALSE\t/\tFALSE\t0\ta\tb\n",
            String(document(item).dropLast()), document(item + ",") + "x", document("1"),
            document(item.replacingOccurrences(of: #""a""#, with: #""a=""#)),
            document(item.replacingOccurrences(of: #""a""#, with: #""a;""#)),
            document(item.replacingOccurrences(of: #""a""#, with: #"" a""#)),
            document(item.replacingOccurrences(of: #""b""#, with: #""b\r\nX: y""#)),
            document(item.replacingOccurrences(of: #""b""#, with: #""b; c=d""#)),
            document(item.replacingOccurrences(of: #""/""#, with: #""""#)),
            document(item.replacingOccurrences(of: #""h.test""#, with: #""H.test""#)),
            document(item.replacingOccurrences(of: #""h.test""#, with: #"""#)),
            document(item.replacingOccurrences(of: "9e9", with: "1e999")),
            document(item.replacingOccurrences(of: "9e9", with: "null")),
            document(item.replacingOccurrences(of: #""a""#, with: #""__Host-a""#)),
            document(
                item.replacingOccurrences(
                    of: #""creation":1"#,
                    with: #""sameSite":"Odd","creation":1"#
                )
            ),
            document(
                item.replacingOccurrences(
                    of: #""creation":1"#,
                    with: #""sameSite":"None","creation":1"#
                )
            ),
        ]
    )
    func broken(text: String) throws {
        try Data(text.utf8).write(to: file)
        let error = error(of: file)
        #expect(error?.reason == .notCookies && error?.path == file.path)
        #expect(
            error.map { "\($0)" }
                == "can't use the cookie file \(file.path): it is damaged, or not a cookie file"
        )
        #expect(try Data(contentsOf: file) == Data(text.utf8))
        #expect(try contents == ["cookies.json"])
    }

    @Test("must be a regular file in a writable folder")
    func places() throws {
        try FileManager.default.createSymbolicLink(
            at: file,
            withDestinationURL: folder.appendingPathComponent("elsewhere")
        )
        #expect(error(of: file)?.reason == .notRegularFile)
        #expect(error(of: folder)?.reason == .notRegularFile)
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(error(of: pipe)?.reason == .notRegularFile)
        let missing = folder.appendingPathComponent("missing/cookies.json")
        #expect(error(of: missing)?.reason == .fileSystem(ENOENT))
        #expect(error(of: link)?.reason == .notRegularFile)
        let beneath = pipe.appendingPathComponent("cookies.json")
        #expect(error(of: beneath)?.reason == .fileSystem(ENOTDIR))
        #expect(error(of: folder.appendingPathComponent("a\u{0}b"))?.reason == .notRegularFile)
    }

    private var link: URL { URL(string: "https://h.test/cookies.json") ?? file }

    @Test(
        "keeps the jar in memory after a failed write, and writes with the next change"
    )
    func failing() throws {
        let jar = try CookieJar(file: file)
        let away = folder.deletingLastPathComponent()
            .appendingPathComponent("\(folder.lastPathComponent)-away")
        try FileManager.default.moveItem(at: folder, to: away)
        jar.store(["a=1; Max-Age=86400"], from: url)
        #expect(jar.cookies.map(\.name) == ["a"])
        try FileManager.default.moveItem(at: away, to: folder)
        #expect(try contents == [])
        jar.store(["b=1; Max-Age=86400"], from: url)
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["a", "b"])
    }

    @Test("is complete at every moment, however many jars write it")
    func manyWriters() throws {
        let jars = try (0..<4).map { _ in try CookieJar(file: file) }
        jars[0].store(["start=1; Max-Age=86400"], from: url)
        let failures = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<25 {
                if thread < 4 {
                    jars[thread].store(["t\(thread)=\(number); Max-Age=86400"], from: url)
                } else if (try? CookieJar(file: file)) == nil {
                    failures.withLock { $0 += 1 }
                }
            }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(try contents == ["cookies.json"])
    }

    @Test("waits until the cookies of a response are written")
    func waiting() async throws {
        let jar = try CookieJar(file: file)
        let origin = try #require(CookieURL(url))
        for number in 1...20 {
            jar.store(["a\(number)=1; Max-Age=86400"], from: origin, at: Date(), afterSafe: true)
            let failure = await jar.saved(CallControl(clock: DeadlineClock(manual: ())))
            #expect(failure == nil)
            #expect(try CookieJar(file: file).cookies.count == number)
        }
        #expect(jar.isInFile && !CookieJar().isInFile)
    }

    @Test("writes the cookies of a response even if nobody waits")
    func unawaited() throws {
        let jar = try CookieJar(file: file)
        let origin = try #require(CookieURL(url))
        jar.store(["a=1; Max-Age=86400"], from: origin, at: Date(), afterSafe: true)
        // A new jar reads the file after pending writes.
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["a"])
    }

    @Test("reports a failed write once")
    func reporting() async throws {
        let jar = try CookieJar(file: file)
        try FileManager.default.removeItem(at: folder)
        let origin = try #require(CookieURL(url))
        jar.store(["a=1; Max-Age=86400"], from: origin, at: Date(), afterSafe: true)
        let control = CallControl(clock: DeadlineClock(manual: ()))
        let first = await jar.saved(control)
        #expect(first?.reason == .fileSystem(ENOENT))
        let second = await jar.saved(control)
        #expect(second == nil)
    }
}
