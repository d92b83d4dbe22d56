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
        let condition = request.header("If-Range")
        let isCurrent = condition == nil || condition == eTag || condition == lastModified
        let field = isCurrent ? request.header("Range") : nil
        let response: MockResponse
        switch field.map({ RequestedRange($0, of: content.count) }) {
        case nil, .whole:
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

/// What a `Range` field means for a resource of a known length.
private enum RequestedRange {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ field: String, of length: Int) {
        self = .whole
        guard field.hasPrefix("bytes="), !field.contains(",") else { return }
        let bounds = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last + 1, length)) : .unsatisfiable
        case (nil, let count?) where bounds[0].isEmpty:
            self = count > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
        default: return
        }
    }
}
