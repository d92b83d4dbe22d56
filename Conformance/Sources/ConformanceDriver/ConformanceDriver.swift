import Foundation
import NetKit

/// Carries out commands through NetKit's public interface, for the suites in `Conformance/suites`.
///
/// Reads one JSON object per line, and answers each with one line and the same `id`, in any order. Ends with the input.
@main
enum ConformanceDriver {
    static func main() async {
        let sessions = Sessions()
        await withTaskGroup(of: Void.self) { group in
            for await line in lines() {
                group.addTask { await answer(line, with: sessions) }
            }
        }
    }

    /// The lines of standard input, read on a thread of its own.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private static func answer(_ line: String, with sessions: Sessions) async {
        do {
            let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
            write(Answer(id: command.id, content: await command.run(with: sessions)))
        } catch {
            let mistake = DriverError(kind: "command", message: "\(error)")
            write(Answer(id: nil, content: .error(mistake)))
        }
    }

    private static func write(_ answer: Answer) {
        do {
            let line = try JSONEncoder().encode(answer) + Data("\n".utf8)
            // One call per line, so that lines don't mix.
            try FileHandle.standardOutput.write(contentsOf: line)
        } catch {
            // The suites are gone.
            exit(1)
        }
    }
}
