import Foundation
public import NetKit

/// An error for a folder that can't hold a cache.
public struct CacheFolderError: Error, Hashable, Sendable {
    /// The path of the folder.
    public let path: String
    /// The `errno` value, which is `ENOTDIR` for a URL that can't be a folder.
    public let code: Int32

    init(_ code: Int32, _ path: String) {
        self.path = path
        self.code = code
    }
}

extension CacheFolderError: CallError {}

extension CacheFolderError: DescribedCause {
    /// A one-line lowercase description with the path and the problem.
    public var description: String {
        "can't use the cache folder \(path): \(String(cString: strerror(code)))"
    }
}
