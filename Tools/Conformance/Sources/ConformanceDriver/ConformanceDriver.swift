import Foundation
import NetKit

/// Carries out commands through NetKit's public interface, for the suites in `Tools/Conformance/suites`.
///
/// Reads one JSON object per line, and answers each with one line and the same `id`, in any order. Ends with the input.
@main
enum ConformanceDriver {
    static func main() async {
        let sessions = Sessions()
        let output = Output()
        await withTaskGroup(of: Void.self) { group in
            for await line in lines() {
                group.addTask { await output.write(await answer(to: line, with: sessions)) }
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

    private static func answer(to line: String, with sessions: Sessions) async -> Answer {
        do {
            let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
            return Answer(id: command.id, content: await command.run(with: sessions))
        } catch {
            let mistake = DriverError(kind: "command", message: "\(error)")
            return Answer(id: nil, content: .error(mistake))
        }
    }
}

/// Writes one answer at a time, because a long line takes several writes to a pipe.
private actor Output {
    func write(_ answer: Answer) {
        do {
            let line = try JSONEncoder().encode(answer) + Data("\n".utf8)
            try FileHandle.standardOutput.write(contentsOf: line)
        } catch {
            // The suites are gone.
            exit(1)
        }
    }
}
