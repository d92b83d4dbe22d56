public import Foundation

/// A body of raw bytes, which overrides every other body.
///
/// ```swift
/// @RawData var image: Data
/// ```
///
/// A ``MultipartFormDataRequest`` with raw data is refused.
@propertyWrapper
public struct RawData: Sendable {
    private var storage = ParameterStorage<Data>()

    /// Creates a body whose bytes are set later.
    public init() {}

    /// Creates a body.
    ///
    /// - Parameter wrappedValue: The bytes.
    public init(wrappedValue: Data) {
        storage.value = wrappedValue
    }

    /// The bytes.
    ///
    /// Set them before you read them.
    public var wrappedValue: Data {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// The bytes, or nil if they were never set.
    var value: Data? { storage.stored }
}
