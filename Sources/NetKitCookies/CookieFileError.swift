import Foundation
public import NetKit

/// An error for a file that can't hold a ``CookieJar``.
public struct CookieFileError: Error, Hashable, Sendable {
    /// The reasons why a file is unusable.
    public enum Reason: Hashable, Sendable {
        /// The file is damaged or doesn't contain the cookies of a jar.
        ///
        /// It isn't changed.
        case notCookies
        /// The path isn't a regular file but, for example, a folder or a symbolic link.
        case notRegularFile
        /// The `errno` value, such as `ENOENT` for a folder that doesn't exist.
        case fileSystem(Int32)
    }

    /// The reason why the file is unusable.
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
    /// A one-line lowercase description with the path and the problem.
    public var description: String {
        let problem =
            switch reason {
            case .notCookies: "it is damaged, or not a cookie file"
            case .notRegularFile: "it is not a regular file"
            case .fileSystem(let code): String(cString: strerror(code))
            }
        return "can't use the cookie file \(path): \(problem)"
    }
}
