import Foundation
import Testing

/// `Tools/scripts/fuzz` looks for more inputs; those that it once found are tried here, without libFuzzer.
@Suite("Fuzz corpus")
struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Corpus", isDirectory: true)

    private func inputs(of target: String) throws -> [URL] {
        let folder = Self.corpus.appendingPathComponent(target, isDirectory: true)
        return try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    @Test("satisfies every property, once and repeated", arguments: FuzzTarget.all.map(\.name))
    func properties(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try inputs(of: name)
        #expect(!inputs.isEmpty)
        for file in inputs {
            let input = FuzzInput(try Data(contentsOf: file))
            do {
                try target.check(input)
                if let long = target.repeated(input, to: 16 << 10) { try target.check(long) }
            } catch {
                Issue.record("\(name)/\(file.lastPathComponent): \(error)")
            }
        }
    }

    @Test("has a folder for every target, and no others")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }

    @Test("numbers each repetition of an input")
    func repeating() throws {
        let plain = FuzzTarget("plain") { _ in }
        let typed = FuzzTarget("typed", hasFirstLine: true) { _ in }
        let input = FuzzInput(Array("a0\nb0;".utf8))
        let long = try #require(plain.repeated(input, to: 10))
        #expect(String(decoding: long.bytes, as: UTF8.self) == "a0\nb0;a1\nb1;")
        let rest = try #require(typed.repeated(input, to: 10))
        #expect(String(decoding: rest.bytes, as: UTF8.self) == "a0\nb0;b1;b2;")
        #expect(plain.repeated(FuzzInput([UInt8]()), to: 10) == nil)
    }

    @Test("reports a violated property")
    func finding() {
        #expect(throws: Finding.self) { try expect(1, is: 2, "one is two") }
        #expect(throws: Finding.self) { try expect(false, "false is true") }
    }
}
