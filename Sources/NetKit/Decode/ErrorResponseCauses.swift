extension ErrorResponse {
    /// Why a ``DownloadRequest`` could not be written, if that is what went wrong.
    public var downloadFailure: DownloadFailure? {
        guard case .transport(let error) = self else { return nil }
        return error.underlying as? DownloadFailure
    }
}
