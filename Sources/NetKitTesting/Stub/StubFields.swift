import NetKit

/// The header fields of a reply, which a chain of modifiers sets at a constant cost each.
///
/// Copies share the list of fields for as long as each is made from the latest one.
struct StubFields: Sendable {
    private var list = Locked<[(HTTPHeaderName, String)]>([])
    /// The number of fields in the list that belong to this copy.
    private var count = 0

    /// Sets a field, which replaces one of the same name.
    mutating func set(_ name: HTTPHeaderName, to value: String) {
        let isLatest = list.withLock { list in
            guard list.count == count else { return false }
            list.append((name, value))
            return true
        }
        if !isLatest { list = Locked(fields + [(name, value)]) }
        count += 1
    }

    /// The fields in the order of their first values.
    var headers: HTTPHeaders { HTTPHeaders(fields) }

    private var fields: [(HTTPHeaderName, String)] {
        list.withLock { Array($0.prefix(count)) }
    }
}
