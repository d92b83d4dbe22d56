public import Foundation

// The URLs in the header fields of a response.
extension HTTPResponse {
    /// The URL in `Location`, resolved against the response's URL (RFC 9110, section 10.2.2).
    ///
    /// ```swift
    /// let upload = try await endpoint.response(for: StartUpload())
    /// let session = upload.http.location  // https://registry.example/v2/app/blobs/uploads/7
    /// ```
    ///
    /// Nil if ``url(in:)`` returns nil for the field.
    public var location: URL? { url(in: .location) }

    /// Returns the URL in a header field, resolved against the response's URL.
    ///
    /// For fields whose whole value is one URI reference, such as `Location`, `Content-Location` and
    /// `Operation-Location`. It resolves dot segments, encodes invalid bytes, and removes a user name and password.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: The absolute URL, or nil if the response has no such field or several. It is also nil for a value that isn't
    ///   a URL. An http or https URL needs a host, and a port from 1 to 65535 if it has one.
    public func url(in name: HTTPHeaderName) -> URL? {
        let values = headers.values(for: name)
        guard let value = values.first, values.count == 1 else { return nil }
        return RedirectTarget.reference(value, against: url)
    }
}
