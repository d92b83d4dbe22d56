import Foundation
import NetKitSupport

/// A reason why NetKit couldn't write or verify a downloaded file.
///
/// It is the underlying error of an ``ErrorResponse/transport(_:)``. See ``ErrorResponse/downloadFailure``.
public struct DownloadFailure: Error, Hashable, Sendable {
    /// The reasons why a download can fail.
    public enum Reason: Hashable, Sendable {
        /// The destination folder doesn't exist or isn't a folder.
        case folderMissing
        /// The process has no permission to write the folder or the file.
        case noPermission
        /// The disk is full, or the user's quota is used up.
        ///
        /// The partial file stays.
        case diskFull
        /// Another download is writing to the same file.
        case inUse
        /// A folder exists at the destination.
        case isFolder
        /// The partial file `name.part` isn't a regular file.
        ///
        /// NetKit doesn't follow symbolic links and doesn't write to pipes or devices.
        case notRegularFile
        /// The destination isn't a file URL, or its name contains a NUL character.
        case invalidName
        /// The received bytes don't match the expected digest.
        ///
        /// The partial file is removed.
        case digestMismatch
        /// The response has no digest to check.
        ///
        /// The partial file is removed.
        case digestMissing
        /// The digest couldn't be computed.
        ///
        /// The partial file is removed.
        case digestUnreadable
        /// Any other file system error, with its `errno` value.
        case fileSystem(Int32)
    }

    /// The reason for the failure.
    public let reason: Reason
    /// The path of the file or folder that the failure concerns.
    public let path: String

    init(_ reason: Reason, _ path: String) {
        self.reason = reason
        self.path = path
    }

    /// Maps an `errno` value to a reason.
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

extension DownloadFailure: Described, DescribedCause {
    /// A one-line lowercase description with the reason and the path.
    package var shown: String {
        let path = reason == .invalidName ? path.debugDescription : path
        return "can't save to \(path): \(problem)"
    }

    private var problem: String {
        switch reason {
        case .folderMissing: "the folder does not exist"
        case .noPermission: "permission denied"
        case .diskFull: "the disk is full"
        case .inUse: "another download is writing this file"
        case .isFolder: "it is a folder; pass a file URL"
        case .notRegularFile: "it is not a regular file"
        case .invalidName: "not a file URL (use URL(fileURLWithPath:)), or its name contains NUL"
        case .digestMismatch: "the received bytes don't match the digest"
        case .digestMissing: "the response has no digest to check"
        case .digestUnreadable: "the digest can't be computed"
        case .fileSystem(let code): String(cString: strerror(code))
        }
    }
}

extension DownloadRestart {
    /// Returns the reason why a response isn't the requested rest, or nil if it is.
    init?(_ head: ResponseHead, insteadOf rest: DownloadPlan.Rest) {
        let range = head.headers[.contentRange].flatMap { ContentRange($0) }
        let (total, noted) = (range?.total, rest.note.total)
        if rest.note.version.contradicts(head) {
            self = .versionChanged
        } else if head.status != 206 {
            self = .rangeIgnored
        } else if range?.first != rest.offset || head.headers[.contentEncoding] != nil {
            self = .rangeMismatch
        } else if total == nil {
            self = .unknownLength
        } else if noted != nil, noted != total {
            // Validators tell versions of one resource apart, and this may be another resource.
            self = .versionChanged
        } else {
            return nil
        }
    }
}

extension ContentDigest {
    /// The value of `Want-Repr-Digest`, or nil if the expected digest is already known.
    var wantedField: String? { expected == nil ? "\(algorithm)=10" : nil }

    /// Compares the digest of the received bytes with the expected digest.
    ///
    /// - Parameters:
    ///   - part: The file with the received bytes.
    ///   - path: The path to report in errors.
    ///   - head: The response's head, which carries the digest if the caller gave none.
    /// - Throws: ``DownloadFailure`` if the digest is missing, unreadable, or different.
    func check(
        _ part: URL,
        named path: String,
        against head: ResponseHead
    ) throws(DownloadFailure) {
        let sent = DigestField.digest(algorithm, in: head.headers[.reprDigest])
        guard let expected = expected ?? sent else { throw DownloadFailure(.digestMissing, path) }
        guard case .success(let digest) = Result(catching: { try compute(part) }) else {
            throw DownloadFailure(.digestUnreadable, path)
        }
        guard digest == expected else { throw DownloadFailure(.digestMismatch, path) }
    }
}
