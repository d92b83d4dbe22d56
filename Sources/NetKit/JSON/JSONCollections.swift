import Foundation

/// A dictionary of any type.
protocol KeyedMembers {
    /// Returns the members by the text of their keys.
    func members() throws(Unencodable) -> [String: Any]
}

extension Dictionary: KeyedMembers {
    func members() throws(Unencodable) -> [String: Any] {
        var members: [String: Any] = [:]
        members.reserveCapacity(count)
        for (key, value) in self {
            guard let name = memberName(of: key) else { throw Unencodable(self) }
            members[name] = value
        }
        return members
    }
}

/// Returns the text of a key, or nil if it can't be a JSON key.
private func memberName(of key: Any) -> String? {
    if type(of: key) == AnyHashable.self, let hashable = key as? AnyHashable {
        return memberName(of: hashable.base)
    }
    return switch key {
    case let string as String: string
    case let string as any StringProtocol: String(string)
    case let integer as any FixedWidthInteger: String(integer)
    case let uuid as UUID: uuid.uuidString
    case let key as any CodingKeyRepresentable: key.codingKey.stringValue
    case let key as any RawRepresentable: memberName(of: key.rawValue)
    default: nil
    }
}

/// An array, a set or a slice of any type.
protocol ElementList {
    /// Whether the elements have no meaningful order.
    var isUnordered: Bool { get }
    /// Returns the elements.
    func elements() -> [Any]
}

extension ElementList where Self: Sequence {
    var isUnordered: Bool { false }
    func elements() -> [Any] { map { $0 as Any } }
}

extension Array: ElementList {}
extension ArraySlice: ElementList {}
extension ContiguousArray: ElementList {}
extension Set: ElementList {
    var isUnordered: Bool { true }
}

/// A type-erased Optional.
protocol OptionalValue {
    /// The nil value of the type.
    static var nilValue: Any { get }
    /// The wrapped type.
    static var wrappedType: Any.Type { get }
    /// The wrapped value, or nil.
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var nilValue: Any { Self.none as Any }
    static var wrappedType: Any.Type { Wrapped.self }
    var wrapped: Any? { map { $0 as Any } }
}
