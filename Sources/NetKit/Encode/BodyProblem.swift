extension InvalidRequest {
    /// A reason why NetKit can't send a request's body.
    public indirect enum BodyProblem: Hashable, Sendable {
        /// A value of the type `type` has no JSON form.
        ///
        /// `keyPath` is its key path, such as `user.tags[2]`, or empty for the body itself.
        case noJSONForm(type: String, keyPath: String)
        /// The request has two bodies, such as ``RawData`` and files.
        case multipleBodies
        /// The value has no member names to use as field names.
        ///
        /// It is the body of a ``MultipartFormDataRequest``, or an ``Object`` that is sent as a form.
        case notAForm
        /// The method, such as GET, doesn't allow a body.
        case notAllowed(HTTPMethod)
        /// A multipart part has a NUL in its name, or its resource threw.
        case invalidPart(name: String)
        /// The body is longer than 2^63 - 1 bytes.
        case tooLong
        /// A ``BodySequence`` or a ``BodySource`` produced a different number of bytes than announced.
        ///
        /// One that is longer is read no further than to its first byte too many.
        case wrongLength(Int64, announced: Int64)
        /// A live ``BodySequence``, which can be read only once, was read again.
        case notReplayable
    }

    /// Creates an error with a reason for programs and a text for people.
    init(_ problem: BodyProblem, _ text: String) {
        self.init(.unencodableBody(text), bodyProblem: problem)
    }

    /// Creates an error for a value without a JSON form.
    ///
    /// Its key path begins at `start`.
    init(_ value: Unencodable, below start: String = "") {
        let keyPath = value.keyPath(below: start)
        self.init(.noJSONForm(type: value.type, keyPath: keyPath), keyPath)
    }

    /// Creates an error for a body that the method doesn't allow.
    init(bodyNotAllowedBy method: HTTPMethod) {
        self.init(.invalidMethod("\(method) with a body"), bodyProblem: .notAllowed(method))
    }
}

extension HTTPMethod {
    /// Whether a request with this method may have a body (RFC 9110, section 9.3).
    var allowsBody: Bool { !["GET", "HEAD", "TRACE"].contains(rawValue.uppercased()) }
}

extension InvalidRequest.BodyProblem {
    /// The type that has no JSON form, if that is the reason.
    var typeWithoutForm: String? {
        guard case .noJSONForm(let type, _) = self else { return nil }
        return type
    }
}
