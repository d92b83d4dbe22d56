import Foundation
import NetKit
import NetKitPaging

// Calls with one value.
extension Turn {
    func call() async -> Verdict {
        var request = request("value/\(number)", as: Numbered.self)
        var random = random
        request.priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
        let expected = Numbered(plant == .wrongValue && number.isMultiple(of: 50) ? 0 : number)
        return verdict(await outcome(of: request, on: client.plain)) { $0 == expected }
    }

    /// The values of a batch are in the order of its requests.
    func batch() async -> Verdict {
        await cancellable {
            let numbers = (0..<5).map { number + $0 }
            // The fault concerns one of them.
            let requests = numbers.map { value in
                var request = request("value/\(value)", as: Numbered.self)
                if value != number { (request.headers, request.timeout) = ([:], nil) }
                return request
            }
            let results = await client.plain.values(for: requests, maximumConcurrentRequests: 2)
            guard results.count == numbers.count else { return .wrong("\(results.count) results") }
            for (value, result) in zip(numbers, results).dropFirst() {
                switch result {
                case .success(let answer) where answer == Numbered(value): break
                case .failure(.cancelled) where cancelDelay != nil: return .cancelled
                default: return .wrong("\(value) has \(result)")
                }
            }
            return verdict(results[0]) { $0 == Numbered(number) }
        }
    }

    /// Four equal calls at once, of which one may be cancelled.
    func coalesced() async -> Verdict {
        var request = request("value/\(number)", as: Numbered.self)
        request.isCoalesced = true
        let shared = request
        return await withTaskGroup(of: Verdict.self) { group in
            for index in 0..<4 {
                group.addTask {
                    let task = Task { () -> Verdict in
                        do {
                            let value = try await client.plain.value(for: shared)
                            return verdict(isRight: value == Numbered(number), "\(value)")
                        } catch {
                            return verdict(of: error)
                        }
                    }
                    if index == 0 { await cancelLater { task.cancel() } }
                    let own = await task.value
                    guard index > 0, own == .cancelled else { return own }
                    return .wrong("a call ended with another's cancellation")
                }
            }
            let verdicts = await group.reduce(into: []) { $0.append($1) }
            return verdicts.first { $0.isWrong } ?? verdicts.first { $0 != .cancelled }
                ?? .cancelled
        }
    }

    /// The server asks for a second of patience.
    func retryAfter() async -> Verdict {
        let request = DefaultRequest<Numbered, ServerMessage>(
            path: "busy/\(number)",
            headers: [Fault.operationField: headers[Fault.operationField] ?? ""]
        )
        return await cancellable {
            do {
                let response = try await client.busy.response(for: request)
                guard response.value == Numbered(number) else {
                    return .wrong("\(response.value)")
                }
                guard response.attempts == 2, response.duration >= .seconds(1) else {
                    return .wrong("\(response.attempts) attempts in \(response.duration)")
                }
                return .value
            } catch {
                return FailureKind(error) == .cancelled && cancelDelay != nil
                    ? .cancelled : .wrong("\(error)")
            }
        }
    }

    /// A server that never answers meets a deadline.
    func deadline() async -> Verdict {
        var random = random
        let limit = Duration.milliseconds(Int.random(in: 1...150, using: &random))
        let silent = DefaultRequest<Numbered, ServerMessage>(path: "silent/\(number)")
        switch await outcome(of: silent, on: client.plain, deadline: limit) {
        case .success(let value): return .wrong("\(value) from a silent server")
        case .failure(let error):
            switch FailureKind(error) {
            case .deadline: return .failure
            case .cancelled where cancelDelay != nil: return .cancelled
            default: return .wrong("\(error)")
            }
        }
    }

    func poll() async -> Verdict {
        await cancellable {
            do {
                let response = try await client.plain.poll(
                    request("job/\(number)", as: Numbered.self),
                    backoff: .constant(.milliseconds(2))
                )
                let value = response.value
                return verdict(isRight: value == Numbered(number), "\(value)")
            } catch {
                return verdict(of: error)
            }
        }
    }

    func pages() async -> Verdict {
        await cancellable {
            let count = 1 + number % 4
            let first = request(
                "pages/\(number)",
                as: [Numbered].self,
                query: [("count", "\(count)")]
            )
            var items: [Numbered] = []
            do {
                for try await page in client.plain.pages(of: first) { items += page.value }
            } catch {
                return verdict(of: error)
            }
            let expected = (0..<(3 * count)).map { Numbered(number + $0) }
            return verdict(isRight: items == expected, "\(items.map(\.number))")
        }
    }
}

extension Verdict {
    var isWrong: Bool { if case .wrong = self { true } else { false } }
}
