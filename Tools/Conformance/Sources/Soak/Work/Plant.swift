import Foundation
import Synchronization

/// A defect that the soak must find, planted by `Tools/scripts/endure soak --self-test`.
enum Plant: String, CaseIterable, Sendable {
    /// The bodies of downloads stay in memory.
    case keptResponses = "kept-responses"
    /// Every tenth operation leaves a descriptor open.
    case openDescriptor = "open-descriptor"
    /// Every hundredth operation leaves a thread behind.
    case idleThread = "idle-thread"
    /// An operation never ends.
    case lostOutcome = "lost-outcome"
    /// A closure runs twice.
    case secondOutcome = "second-outcome"
    /// A call has another's answer.
    case wrongValue = "wrong-value"
    /// Transports aren't shut down.
    case openTransport = "open-transport"
}

/// What the planted defects leave behind.
enum Planted {
    private static let kept = Mutex<[any Sendable]>([])

    static func keep(_ value: any Sendable) {
        kept.withLock { $0.append(value) }
    }

    /// Plants the defects that concern any operation.
    ///
    /// - Returns: Whether the operation continues.
    static func plant(_ plant: Plant?, at number: Int) async -> Bool {
        switch plant {
        case .openDescriptor where number.isMultiple(of: 10): _ = open("/dev/null", O_RDONLY)
        case .idleThread where number.isMultiple(of: 100):
            Thread.detachNewThread { Thread.sleep(forTimeInterval: 3_600) }
        case .lostOutcome where number.isMultiple(of: 500): return false
        default: break
        }
        return true
    }
}
