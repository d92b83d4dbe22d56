public import Foundation

// The URLs that a response names in its header fields.
extension HTTPResponse {
    /// The URL in `Location`, resolved against that of the response (RFC 9110, section 10.2.2).
    ///
    /// ```swift
    /// let upload = try await endpoint.response(for: StartUpload())
    /// let session = upload.http.location  // https://registry.example/v2/app/blobs/uploads/7
    /// ```
    ///
    /// Nil without the field, and where ``url(in:)`` is.
    public var location: URL? { url(in: .location) }

    /// The URL in a header field, resolved against that of the response.
    ///
    /// For fields whose whole value is one URI reference, such as `Location`, `Content-Location` and
    /// `Operation-Location`. Dot segments are resolved, and bytes that no URL may have are encoded. A user name and
    /// password are left out.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: The absolute URL. Nil without the field, with several fields of the name, and for a value that makes no
    ///   URL or an http or https URL without a host or with a port outside 1 to 65535.
    public func url(in name: HTTPHeaderName) -> URL? {
        let values = headers.values(for: name)
        guard let value = values.first, values.count == 1 else { return nil }
        return RedirectTarget.reference(value, against: url)
    }
}
