public import Foundation

extension MockResponse {
    /// The response of a server that serves ranges (RFC 9110, section 14) to a request for bytes that
    /// it has.
    ///
    /// A `Range` of one interval is answered by a 206, or by a 416 if nothing of it is there; several
    /// intervals and other units by the whole. An `If-Range` that does not name this version is
    /// answered by the whole.
    ///
    /// ```swift
    /// server.route("GET", "/release") { .resource(release, for: $0, eTag: "\"v1\"") }
    /// ```
    ///
    /// - Parameters:
    ///   - content: The whole of the bytes.
    ///   - request: The request.
    ///   - eTag: The version's entity tag, quotes included. Defaults to none.
    ///   - lastModified: The version's date as it goes into `Last-Modified`. Defaults to none.
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
            request.header("Range"),
            if: request.header("If-Range"),
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
