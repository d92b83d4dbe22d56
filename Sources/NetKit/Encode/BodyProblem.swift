extension InvalidRequest {
    /// A reason why a request's body cannot be sent.
    public indirect enum BodyProblem: Hashable, Sendable {
        /// A value of the type `type` has no JSON form; `keyPath` leads to it, such as `user.tags[2]`, and is empty for
        /// the body itself.
        case noForm(type: String, keyPath: String)
        /// The request has two bodies, such as a ``RawData`` and files.
        case severalBodies
        /// The value has no names to make fields of: the body beside the files of a ``MultipartFormDataRequest``, or an
        /// ``Object`` that is sent as a form.
        case notAForm
        /// The method, such as GET, has no body.
        case notAllowed(HTTPMethod)
        /// A part of a multipart form has a name with a NUL, or a resource that threw.
        case invalidPart(name: String)
        /// The body is longer than 2^63 bytes.
        case tooLong
        /// A ``BodySequence`` gave another number of bytes than it announced.
        case wrongLength(Int64, announced: Int64)
        /// A ``BodySequence`` that can be read once was to be read again.
        case sentOnce
    }

    /// A body that cannot be sent, in words for people too.
    init(_ problem: BodyProblem, _ text: String) {
        self.init(.unencodableBody(text), bodyProblem: problem)
    }

    /// A value without a JSON form; `start` is the key path to where `value`'s own begins.
    init(_ value: Unencodable, below start: String = "") {
        let keyPath = value.keyPath(below: start)
        self.init(.noForm(type: value.type, keyPath: keyPath), keyPath)
    }

    /// A body of a request whose method has none.
    init(bodyNotAllowedBy method: HTTPMethod) {
        self.init(.invalidMethod("\(method) with a body"), bodyProblem: .notAllowed(method))
    }
}

extension InvalidRequest.BodyProblem {
    /// The type that has no JSON form, if that is the problem.
    var typeWithoutForm: String? {
        guard case .noForm(let type, _) = self else { return nil }
        return type
    }
}
