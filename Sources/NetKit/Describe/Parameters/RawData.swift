public import Foundation

/// Bytes as the body, over everything else that could be one.
///
/// ```swift
/// @RawData var image: Data
/// ```
@propertyWrapper
public struct RawData: Sendable {
    private var storage = ParameterStorage<Data>()

    /// Makes a body whose bytes are set later.
    public init() {}

    /// Makes a body.
    ///
    /// - Parameter wrappedValue: The bytes.
    public init(wrappedValue: Data) {
        storage.value = wrappedValue
    }

    /// The bytes.
    ///
    /// They are set before they are read.
    public var wrappedValue: Data {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// The bytes, nil where they were never set.
    var value: Data? { storage.stored }
}
