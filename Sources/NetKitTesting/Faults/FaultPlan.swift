import Foundation
import NetKit

/// Which request meets with which fault.
struct FaultPlan: Sendable {
    /// A fault that happens now and then.
    struct Rule: Sendable {
        let fault: TransportFault
        let probability: Double
        /// How many requests for the same meet with it once it has begun.
        let length: Int
    }

    let chance: SeededChance
    var rules: [Rule] = []
    /// What the next requests meet with, the next one first; nil for nothing.
    var script: [TransportFault?] = []
    private var sent = 0
    private var sentByKey: [String: Int] = [:]

    init(seed: UInt64) {
        chance = SeededChance(seed: seed)
    }

    /// Counts a request and says what goes wrong with it.
    mutating func next(_ request: EncodedRequest) -> (number: Int, fault: TransportFault?) {
        // Without the host, which for a server on the loopback interface is another one in each run.
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?
            .percentEncodedQuery
        let key = "\(request.method) \(StubAddress(request.url).path)?\(query ?? "")"
        let occurrence = sentByKey[key, default: 0] + 1
        sentByKey[key] = occurrence
        sent += 1
        guard script.isEmpty else { return (sent, script.removeFirst()) }
        let fault = rules.enumerated()
            .first { index, rule in
                // What began with one of the requests before may still last.
                (max(1, occurrence - rule.length + 1)...occurrence)
                    .contains { number in
                        chance.happens(
                            rule.probability,
                            to: "rule \(index): \(key)",
                            number: number
                        )
                    }
            }
        return (sent, fault?.element.fault)
    }
}
