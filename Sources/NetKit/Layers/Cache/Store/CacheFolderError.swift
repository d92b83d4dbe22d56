import Foundation

/// A folder that a cache can't keep its responses in.
public struct CacheFolderError: Error, Hashable, Sendable {
    /// The path of the folder.
    public let path: String
    /// The file system's error number: `ENOTDIR` for a URL that can't be a folder's.
    public let code: Int32

    init(_ code: Int32, _ path: String) {
        self.path = path
        self.code = code
    }
}

extension CacheFolderError: CallError {}

extension CacheFolderError: DescribedCause {
    /// The path and what is wrong, as one lower-case line.
    public var description: String { "\(path): \(String(cString: strerror(code)))" }
}
