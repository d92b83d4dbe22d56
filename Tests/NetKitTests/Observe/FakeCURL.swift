import Foundation
import Testing

/// What a shell gave to a `curl` that only writes down its arguments.
struct FakeCURL {
    let words: [String]
    /// What `--data-binary` would send from an argument or from standard input; nil without one.
    let body: Data?

    /// Runs a command with `/bin/sh`; nothing else is called `curl` in it.
    static func run(_ command: String) throws -> FakeCURL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("FakeCURL-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = (
            script: folder.appendingPathComponent("script"),
            arguments: folder.appendingPathComponent("arguments"),
            input: folder.appendingPathComponent("input")
        )
        // An external program, not a shell function: the kernel limits the length of its arguments. The shell writes
        // it: a process that another test starts could inherit our own descriptor, and a file that is open for
        // writing can't be run.
        let curl = folder.appendingPathComponent("curl")
        let script = """
            cat > '\(curl.path)' << 'END OF PROGRAM'
            #!/bin/sh
            printf '%s\\0' "$@" > '\(files.arguments.path)'
            cat > '\(files.input.path)'
            END OF PROGRAM
            chmod 755 '\(curl.path)'
            PATH='\(folder.path)':"$PATH"
            \(command)

            """
        try Data(script.utf8).write(to: files.script)

        // Foundation's `Process` reads beyond the list of open descriptors, which can end this process.
        try #require(system("/bin/sh '\(files.script.path)' < /dev/null") == 0)

        let arguments = try Data(contentsOf: files.arguments).dropLast()
        let words = arguments.split(separator: 0, omittingEmptySubsequences: false)
        return FakeCURL(
            words: words.map { String(decoding: $0, as: UTF8.self) },
            input: try Data(contentsOf: files.input)
        )
    }

    private init(words: [String], input: Data) {
        self.words = words
        guard let option = words.firstIndex(of: "--data-binary"), option + 1 < words.count else {
            body = nil
            return
        }
        body = words[option + 1] == "@-" ? input : Data(words[option + 1].utf8)
    }
}
