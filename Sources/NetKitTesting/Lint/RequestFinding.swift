/// A mistake, or a probable mistake, in a request.
public struct RequestFinding: Hashable, Sendable {
    /// The kind of a mistake.
    ///
    /// Findings are sorted in the order of these cases.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A property that NetKit would ignore: with a requirement's name but another type, such as
        /// `let timeout = 60.0`, or with a name such as `params`.
        case mistypedProperty
        /// A parameter whose value was never set, or a `@Path` that is nil.
        case unsetParameter
        /// A placeholder in the path without a matching `@Path`.
        case placeholderWithoutParameter
        /// A `@Path` without a placeholder in the path.
        case parameterWithoutPlaceholder
        /// A path with a `..` segment, which changes the resource.
        case dotSegments
        /// A GET, HEAD, TRACE or CONNECT with a body.
        case unexpectedBody
        /// More than one body; at most one is sent.
        case multipleBodies
        /// Bytes without a type, which are sent as `application/octet-stream`.
        case bodyWithoutContentType
        /// A header field with different values from several sources; only one is sent.
        case conflictingHeader
        /// A query name from several sources; all are sent.
        case conflictingQuery
        /// A secret in the URL, which logs and browser histories store.
        case secretInQuery
        /// A credential sent to another machine without encryption.
        case credentialWithoutEncryption
        /// A retry of a method that is not idempotent, without an `Idempotency-Key`.
        case unsafeRetry
        /// A header field that can't be sent.
        case refusedHeader
        /// Any other reason why the request can't be sent.
        case refused
    }

    /// The kind of the mistake.
    public let kind: Kind
    /// The name of the parameter, header field, query item, host or method.
    ///
    /// Empty if there is nothing to name.
    public let subject: String
    /// An explanation in one line, without values.
    public let reason: String

    /// Creates a finding to compare with others.
    ///
    /// - Parameters:
    ///   - kind: The kind of the mistake.
    ///   - subject: The name of the parameter, header field, query item, host or method.
    ///   - reason: The explanation.
    public init(kind: Kind, subject: String, reason: String) {
        self.kind = kind
        self.subject = subject
        self.reason = reason
    }
}

extension RequestFinding: CustomStringConvertible {
    /// The kind and the reason: `secretInQuery: the query has …`.
    public var description: String { "\(kind): \(reason)" }
}
