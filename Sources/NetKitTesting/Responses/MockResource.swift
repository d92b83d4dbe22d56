public import Foundation

extension MockResponse {
    /// Creates the response of a server that supports ranges (RFC 9110, section 14).
    ///
    /// A GET with a `Range` of one interval gets a 206, or a 416 if it can't be satisfied. Other
    /// methods, several intervals and other units get the whole content. So does an `If-Range` that
    /// doesn't match this version, or whose entity tag is weak.
    ///
    /// ```swift
    /// server.route("GET", "/release") { .resource(release, for: $0, eTag: "\"v1\"") }
    /// ```
    ///
    /// - Parameters:
    ///   - content: The whole content.
    ///   - request: The request.
    ///   - eTag: The version's entity tag, including its quotes. Defaults to none.
    ///   - lastModified: The value of the `Last-Modified` field. Defaults to none. A client can resume by it only if the
    ///     response has a later `Date`, which you add with `header(_:_:)`.
    ///   - contentType: The media type. Defaults to `application/octet-stream`.
    /// - Returns: The response.
    public static func resource(
        _ content: Data,
        for request: RecordedRequest,
        eTag: String? = nil,
        lastModified: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> MockResponse {
        let range = RequestedRange(
            by: request,
            isOneOf: [eTag, lastModified],
            of: content.count
        )
        let response: MockResponse
        switch range {
        case .whole:
            response = .data(content, contentType: contentType)
        case .part(let range):
            let bytes = content.dropFirst(range.lowerBound).prefix(range.count)
            response = .data(Data(bytes), contentType: contentType, status: 206)
                .header(
                    "Content-Range",
                    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
                )
        case .unsatisfiable:
            response = .status(416).header("Content-Range", "bytes */\(content.count)")
        }
        var labelled = response.header("Accept-Ranges", "bytes")
        if let eTag { labelled = labelled.header("ETag", eTag) }
        if let lastModified { labelled = labelled.header("Last-Modified", lastModified) }
        return labelled
    }
}
