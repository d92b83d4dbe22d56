import NetKit
import NetKitSupport

/// The range that a `Range` field requests from content of a known length.
enum RequestedRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Reads the `Range` field of a GET; other methods ignore it (RFC 9110, section 14.2).
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - validators: The validators of the current version.
    ///   - length: The length of the content in bytes.
    init(by request: some ReceivedRequest, isOneOf validators: [String?], of length: Int) {
        self.init(
            request.method == .get ? request.headers[.range] : nil,
            if: request.headers[.ifRange],
            isOneOf: validators,
            of: length
        )
    }

    /// Reads a `Range` field, which is ignored if `If-Range` names another version or a weak tag.
    ///
    /// - Parameters:
    ///   - field: The value of `Range`; nil if missing.
    ///   - condition: The value of `If-Range`; nil if missing.
    ///   - validators: The validators of the current version.
    ///   - length: The length of the content in bytes.
    init(
        _ field: String?,
        if condition: String?,
        isOneOf validators: [String?],
        of length: Int
    ) {
        self = .whole
        let isCurrent =
            condition.map { !$0.hasPrefix("W/") && validators.contains($0) } ?? true
        guard isCurrent, let field, field.hasPrefix("bytes="), !field.contains(",") else { return }
        let bounds = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        switch (bounds[0].asciiNumber(as: Int.self), bounds[1].asciiNumber(as: Int.self)) {
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (nil, 0?) where bounds[0].isEmpty: self = .unsatisfiable
        // No Content-Range can say which bytes an empty part has.
        case (nil, let count?) where bounds[0].isEmpty && length > 0:
            self = .part(max(0, length - count)..<length)
        default: return
        }
    }
}
