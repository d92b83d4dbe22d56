import Foundation
import NetKit

/// The faults of the next requests, scripted and random.
struct FaultPlan: Sendable {
    /// A fault with a probability.
    struct Rule: Sendable {
        let fault: TransportFault
        let probability: Double
        /// The number of consecutive equal requests that the fault affects.
        let length: Int
    }

    let chance: SeededChance
    var rules: [Rule] = []
    /// The scripted faults of the next requests, in order; nil for none.
    var script: [TransportFault?] = []
    private var sent = 0
    private var sentByKey: [String: Int] = [:]

    init(seed: UInt64) {
        chance = SeededChance(seed: seed)
    }

    /// Counts a request and returns its fault.
    mutating func next(_ request: EncodedRequest) -> (number: Int, fault: TransportFault?) {
        // Without the host, because the port of a local server differs in each run.
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?
            .percentEncodedQuery
        let key = "\(request.method) \(StubAddress(request.url).path)?\(query ?? "")"
        let occurrence = sentByKey[key, default: 0] + 1
        sentByKey[key] = occurrence
        sent += 1
        guard script.isEmpty else { return (sent, script.removeFirst()) }
        let fault = rules.enumerated()
            .first { index, rule in
                // A fault of an earlier request may still last.
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
