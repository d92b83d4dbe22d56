import Foundation

/// Why a download could not be written to its file, or was not the file that was wanted.
///
/// It is what lies beneath an ``ErrorResponse/transport(_:)``; see ``ErrorResponse/downloadFailure``.
public struct DownloadFailure: Error, Hashable, Sendable {
    /// What kept the file from being there, coarse enough to decide on.
    public enum Reason: Hashable, Sendable {
        /// The folder that the file is to be in does not exist, or is no folder.
        case folderMissing
        /// The folder or the file may not be written.
        case noPermission
        /// There is no room left on the disk, or for this user. The part stays.
        case diskFull
        /// Another download writes to the same file at this moment.
        case inUse
        /// There is a folder in the file's place.
        case isFolder
        /// There is something else in the place of `name.part` than a regular file, such as a symbolic link, which is
        /// not followed, or a pipe.
        case notRegularFile
        /// The file's name has a NUL in it, which no file system has.
        case invalidName
        /// The bytes are not those that the digest is of. The part was removed.
        case digestMismatch
        /// A digest was to be checked, and the response has none. The part was removed.
        case digestMissing
        /// Computing the digest failed. The part was removed.
        case digestUnreadable
        /// Anything else that the file system reports, with its error number.
        case fileSystem(Int32)
    }

    /// What went wrong.
    public let reason: Reason
    /// The path of the file or folder.
    public let path: String

    init(_ reason: Reason, _ path: String) {
        self.reason = reason
        self.path = path
    }

    /// What an `errno` means for `path`.
    init(errno code: Int32, _ path: String) {
        let reason: Reason =
            switch code {
            case ENOENT, ENOTDIR: .folderMissing
            case EACCES, EPERM, EROFS: .noPermission
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EISDIR: .isFolder
            default: .fileSystem(code)
            }
        self.init(reason, path)
    }
}

extension DownloadFailure: CallError {}

extension DownloadFailure: DescribedCause {
    /// What went wrong, with the path, as one lower-case line.
    public var description: String {
        switch reason {
        case .folderMissing: "\(path): the folder does not exist"
        case .noPermission: "\(path): permission denied"
        case .diskFull: "\(path): the disk is full"
        case .inUse: "\(path): another download is writing this file"
        case .isFolder: "\(path): a folder has this name"
        case .notRegularFile: "\(path): not a regular file"
        case .invalidName: "\(path.debugDescription): a file name can't contain NUL"
        case .digestMismatch: "\(path): the received bytes don't match the digest"
        case .digestMissing: "\(path): the response has no digest to check"
        case .digestUnreadable: "\(path): the digest can't be computed"
        case .fileSystem(let code): "\(path): \(String(cString: strerror(code)))"
        }
    }
}
