import Foundation

/// A file that can't be a ``CookieJar``'s.
public struct CookieFileError: Error, Hashable, Sendable {
    /// What is wrong with the file.
    public enum Reason: Hashable, Sendable {
        /// The file holds something else than the cookies of a jar, or is damaged.
        ///
        /// It is left as it is.
        case notCookies
        /// There is something else than a regular file at the path, such as a folder or a symbolic link.
        case notRegularFile
        /// The file system's error number, such as `ENOENT` for a folder that does not exist.
        case fileSystem(Int32)
    }

    /// What is wrong.
    public let reason: Reason
    /// The path of the file.
    public let path: String

    init(_ reason: Reason, _ path: String) {
        self.reason = reason
        self.path = path
    }
}

extension CookieFileError: CallError {}

extension CookieFileError: DescribedCause {
    /// The path and what is wrong, as one lower-case line.
    public var description: String {
        switch reason {
        case .notCookies: "\(path): not a cookie file, or damaged"
        case .notRegularFile: "\(path): not a regular file"
        case .fileSystem(let code): "\(path): \(String(cString: strerror(code)))"
        }
    }
}
