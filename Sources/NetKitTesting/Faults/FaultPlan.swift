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

    /// What was decided about a rule and the requests of one key.
    private struct Course {
        /// The number of requests that were decided on.
        var decided = 0
        /// The number of the last request at which the fault began.
        var lastStart: Int?
    }

    let chance: SeededChance
    var rules: [Rule] = []
    /// The scripted faults of the next requests, in order; nil for none.
    var script: [TransportFault?] = []
    private var sent = 0
    private var sentByKey: [String: Int] = [:]
    private var courses: [String: Course] = [:]

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
        for (index, rule) in rules.enumerated()
        where affects(rule, "rule \(index): \(key)", at: occurrence) {
            return (sent, rule.fault)
        }
        return (sent, nil)
    }

    /// Decides whether a rule's fault begins at a request, or still lasts from an earlier one.
    private mutating func affects(_ rule: Rule, _ subject: String, at occurrence: Int) -> Bool {
        var course = courses[subject] ?? Course()
        // Each request is decided on once, however long the fault lasts.
        for number in max(course.decided, occurrence - rule.length) + 1...occurrence
        where chance.happens(rule.probability, to: subject, number: number) {
            course.lastStart = number
        }
        course.decided = occurrence
        courses[subject] = course
        return course.lastStart.map { occurrence - $0 < rule.length } ?? false
    }
}
