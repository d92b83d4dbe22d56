import Foundation

/// The lines a started process reads from the one that started it.
enum ControlLines {
    /// Hands the lines of standard input to `body` and reads them on this thread.
    ///
    /// At the end of the input the process exits at once, whatever `body` is doing: a process whose
    /// parent has ended, has been killed or has given it up is never left behind. An error of
    /// `body` goes to standard error and ends the process with code 1.
    static func serve(
        _ body: @escaping @Sendable (AsyncStream<String>) async throws -> Void
    ) -> Never {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Task {
            do {
                try await body(lines)
            } catch {
                FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
                _exit(1)
            }
        }
        while let line = readLine() { continuation.yield(line) }
        _exit(0)
    }

    /// Answers each line of standard input with a line of JSON on standard output.
    static func answer<Answer: Encodable & SendableMetatype>(
        _ body: @escaping @Sendable (String) async throws -> Answer
    ) -> Never {
        serve { lines in
            for await line in lines { try write(try await body(line)) }
        }
    }

    /// Writes a line of JSON to standard output.
    static func write(_ answer: some Encodable) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(answer) + Data("\n".utf8))
    }

    /// The number of calls in a line.
    ///
    /// - Throws: ``UnknownLine`` if it is not a positive number.
    static func count(in line: String) throws -> Int {
        guard let count = Int(line), count > 0 else { throw UnknownLine(line: line) }
        return count
    }
}

/// A line of input that is not what the process was started for.
struct UnknownLine: Error {
    let line: String
}
