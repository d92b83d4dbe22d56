import NetKit

// Streams of lines and of events.
extension Turn {
    /// Reads all lines, or leaves early.
    func lines() async -> Verdict {
        var random = random
        let count = Int.random(in: 1...200, using: &random)
        let leaves = random.happens(0.2) ? Int.random(in: 0..<count, using: &random) : nil
        let pause = random.happens(0.05) ? 1 : 0
        let query = [("count", "\(count)"), ("pause", "\(pause)")]
        let feed = request("lines/\(number)", as: String.self, query: query)
        return await cancellable {
            do {
                let stream = try await client.plain.stream(feed)
                var index = 0
                if leaves == index { return .value }
                for try await line in stream.lines {
                    guard line == Content.line(index, of: number) else {
                        return .wrong("line \(index) of \(count) is \(line.prefix(100))")
                    }
                    index += 1
                    if leaves == index { return .value }
                }
                return verdict(isRight: index == count, "\(index) of \(count) lines")
            } catch {
                return verdict(of: error, isStream: true)
            }
        }
    }

    /// Reads events over several connections until the server has no more.
    func events() async -> Verdict {
        var random = random
        let count = Int.random(in: 1...40, using: &random)
        let each = Int.random(in: max(1, count / 4)...count, using: &random)
        let query = [("count", "\(count)"), ("each", "\(each)")]
        var feed = request("events/\(number)", as: String.self, query: query)
        // A source reconnects until it succeeds, so the fault may only come once.
        if let fault, fault.times == .always {
            feed.headers[Fault.field] = Fault(fault.kind, .once, bytes: fault.bytes).value
        }
        let request = feed
        return await cancellable {
            var received = 0
            do {
                let source = client.plain.events(for: request, reconnectingAfter: .milliseconds(2))
                for try await event in source {
                    received += 1
                    guard event.id == "\(received)",
                        event.data == Content.line(received, of: number)
                    else { return .wrong("event \(received) is \(event)") }
                }
                guard received == count else { return .wrong("\(received) of \(count) events") }
                return .value
            } catch {
                return verdict(of: error)
            }
        }
    }
}
