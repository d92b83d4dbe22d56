import Foundation

/// A converter, or a key path, found nothing that could be decoded.
///
/// It says where, and never what the body holds.
public struct ConversionFailure: Error, Hashable, Sendable {
    /// What was wrong.
    public enum Reason: Hashable, Sendable {
        /// The body is not JSON; the text says what is wrong and at which byte.
        case malformedJSON(String)
        /// There is no node at `keyPath`: it leads as far as `stoppedAt` (empty for the whole document),
        /// which is `found`, such as "an array".
        case missingNode(keyPath: String, stoppedAt: String, found: String)
        /// A converter returned something without a JSON form at this key path.
        case resultIsNotJSON(keyPath: String)
    }

    /// What was wrong.
    public let reason: Reason

    /// Makes a failure.
    ///
    /// - Parameter reason: What was wrong.
    package init(_ reason: Reason) {
        self.reason = reason
    }
}

extension ConversionFailure: CustomStringConvertible, CallError {
    /// One lower-case line: `there is nothing at data.items: data is an array`.
    public var description: String {
        switch reason {
        case .malformedJSON(let problem): "the body is not JSON: \(problem)"
        case .missingNode(let keyPath, "", let found):
            "there is nothing at \(keyPath): the body is \(found)"
        case .missingNode(let keyPath, let stoppedAt, let found):
            "there is nothing at \(keyPath): \(stoppedAt) is \(found)"
        case .resultIsNotJSON(""): "the converter's result is not JSON"
        case .resultIsNotJSON(let keyPath):
            // Its keys may be the server's.
            "the converter's result is not JSON at \(BoundedLine.text(keyPath))"
        }
    }
}

extension ConversionFailure {
    init(_ failure: JSONScanner.Failure, at path: JSONPath) {
        switch failure {
        case .malformed(let error): self.init(.malformedJSON(error.description))
        case .missing(let steps, let kind):
            self.init(
                .missingNode(
                    keyPath: path.description,
                    stoppedAt: path.prefix(steps),
                    found: Self.found(kind, without: path.steps[steps])
                )
            )
        }
    }

    static func found(_ kind: JSONKind, without step: JSONPath.Step) -> String {
        switch kind {
        case .object: "an object without \(step.key)"
        case .array where step.index != nil: "an array with fewer elements"
        default: kind.description
        }
    }
}

extension JSONText {
    /// The node at `path`, byte for byte as it stands in `body`.
    static func slice(of body: Data, at path: JSONPath) throws(ConversionFailure) -> Data {
        let text = utf8(body)
        // Not by way of `body`: the range is one of this text, which must not be rewritten again.
        let range = try withBytes(ofUTF8: text) { bytes throws(ConversionFailure) in
            try Self.range(of: path, in: bytes)
        }
        // A copy, for its indices begin at 0 as users expect.
        return text.subdata(
            in: text.startIndex + range.lowerBound..<text.startIndex + range.upperBound
        )
    }

    private static func range(
        of path: JSONPath,
        in bytes: UnsafeBufferPointer<UInt8>
    ) throws(ConversionFailure) -> Range<Int> {
        do throws(JSONScanner.Failure) {
            return try JSONScanner.range(of: path, in: bytes)
        } catch {
            throw ConversionFailure(error, at: path)
        }
    }
}
