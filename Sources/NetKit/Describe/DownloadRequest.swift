public import Foundation

/// A request whose response goes to a file instead of into memory; its value is the file's URL.
///
/// Everything but the response is as the request says that it was made from. The bytes go to
/// `name.part` beside the file, which is put in the file's place when they are whole. There is no
/// limit on their number. A response outside 2xx is the request's typed error, as always, and leaves
/// the file alone. What keeps the file from being written is a ``DownloadFailure``; a missing folder
/// or permission is found out before anything is sent. `name.part` has to be a regular file: a symbolic link
/// is not followed, and a pipe is not waited for.
///
/// A call that is cancelled or fails leaves the part, with a note of the version it belongs to in
/// `name.part-version`, if the server gave a strong one; the next attempt or call for the same file
/// goes on with it, from whichever URL.
public struct DownloadRequest<Base: Request>: ForwardingRequest {
    /// Where the file is.
    public typealias ResponseObjectType = URL
    /// The error of the request it was made from.
    public typealias ErrorType = Base.ErrorType

    /// What is asked for.
    public let base: Base
    /// Where the response goes.
    public let file: URL
    /// Whether a part that an earlier download left is gone on with.
    package let resuming: Bool
    /// What the file is checked against before it is put in its place, if anything.
    package let digest: ContentDigest?

    /// The request that it was made from.
    public var wrappedRequest: any Request { base }
    /// False: two calls can't share a file.
    public var isCoalesced: Bool { false }
    /// The file's URL, whatever came: the body is in the file by then.
    public var responseDecoding: ResponseDecoding<URL> {
        let file = file
        return ResponseDecoding { _, _ in file }
    }
}

/// What the conductor needs to know of a download, whatever its type.
package protocol FileDownloading {
    /// Where the response goes.
    var file: URL { get }
    /// Whether a part that is there is gone on with.
    var resuming: Bool { get }
    /// What the file is checked against.
    var digest: ContentDigest? { get }
}

extension DownloadRequest: FileDownloading {}

extension Request {
    /// The same request with its response written to a file.
    ///
    /// - Parameters:
    ///   - file: Where to. What is there is replaced, once the new file is whole.
    ///   - resuming: Whether to go on with `name.part` if an earlier download left one, with `Range`
    ///     and `If-Range` (RFC 9110, section 13.1.5): if the server's copy has changed since, it
    ///     starts over. Defaults to true.
    /// - Returns: A request to execute like any other.
    public func download(to file: URL, resuming: Bool = true) -> DownloadRequest<Self> {
        DownloadRequest(base: self, file: file, resuming: resuming, digest: nil)
    }

    /// The same request with its response written to a file and checked before it is put in its place.
    ///
    /// - Parameters:
    ///   - file: Where to. What is there is replaced, once the new file is whole and right.
    ///   - resuming: As in ``download(to:resuming:)``. Defaults to true.
    ///   - digest: What the file has to be. A file that is something else is removed, and the call
    ///     fails with a ``DownloadFailure``.
    /// - Returns: A request to execute like any other.
    public func download(
        to file: URL,
        resuming: Bool = true,
        checking digest: ContentDigest
    ) -> DownloadRequest<Self> {
        DownloadRequest(base: self, file: file, resuming: resuming, digest: digest)
    }
}
