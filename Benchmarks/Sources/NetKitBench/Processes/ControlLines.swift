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
}
