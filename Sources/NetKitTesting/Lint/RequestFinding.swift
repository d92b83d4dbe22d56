/// Something about a request that is wrong, or that its author hardly meant.
public struct RequestFinding: Hashable, Sendable {
    /// What kind of mistake it is.
    ///
    /// Findings come in the order of these cases.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A stored property that is named after a requirement of `Request` and has another type, so that it would be
        /// ignored: `let timeout = 60.0`.
        case mistypedProperty
        /// A parameter such as `@Query` whose value was never set, or a `@Path` that is nil.
        case unsetParameter
        /// A `{name}` in the path that no `@Path` stands for.
        case placeholderWithoutParameter
        /// A `@Path` whose place is not in the path.
        case parameterWithoutPlaceholder
        /// A path with `..` in it, which leads elsewhere than it reads.
        case dotSegments
        /// A GET, HEAD or TRACE with a body.
        case bodyWithoutMeaning
        /// More than one body, of which one at most is sent.
        case severalBodies
        /// Bytes that are called `application/octet-stream` because nobody said what they are.
        case bodyWithoutContentType
        /// One header field with different values from several places, of which one is sent.
        case conflictingHeader
        /// One name in the query from several places, all of which are sent.
        case conflictingQuery
        /// A secret in the URL, where logs and histories keep it.
        case secretInQuery
        /// A credential that is sent without encryption to another machine.
        case credentialWithoutEncryption
        /// A method that is not idempotent, tried again without an `Idempotency-Key`.
        case unsafeRetry
        /// A header field that must not be sent.
        case refusedHeader
        /// What else keeps the request from being sent.
        case refused
    }

    /// What kind of mistake it is.
    public let kind: Kind
    /// What it is about: the name of a parameter, a header field or a query item, a host, a method.
    ///
    /// Empty where there is nothing to name.
    public let subject: String
    /// What is wrong, in words; one line that names no value.
    public let reason: String

    /// Makes a finding, to compare others with.
    ///
    /// - Parameters:
    ///   - kind: What kind of mistake it is.
    ///   - subject: What it is about.
    ///   - reason: What is wrong, in words.
    public init(kind: Kind, subject: String, reason: String) {
        self.kind = kind
        self.subject = subject
        self.reason = reason
    }
}

extension RequestFinding: CustomStringConvertible {
    /// The kind and the reason: `secretInQuery: the query carries …`.
    public var description: String { "\(kind): \(reason)" }
}
