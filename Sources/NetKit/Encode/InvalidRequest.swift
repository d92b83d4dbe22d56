/// A request that cannot be sent, found out before anything was.
public struct InvalidRequest: Error, Sendable {
    /// What is wrong with it.
    public enum Reason: Hashable, Sendable {
        /// Neither the request nor ``Endpoint/default`` names an endpoint.
        case missingEndpoint
        /// The base URL or a whole URL as path is no http or https URL with a host; with what was
        /// tried, without secrets.
        case invalidURL(String)
        /// The method is no token, or is one that has no body but is given one.
        case invalidMethod(String)
        /// The field's name is no token, its value would end the line, or it is not the caller's to
        /// set, such as `Content-Length`.
        case invalidHeader(name: String)
        /// A placeholder without a value, or a value without its placeholder.
        case missingPathParameter(String)
        /// A path value that would not stay one segment: empty, `.` or `..`.
        case unsafePathParameter(String)
        /// A parameter, such as a ``Query``, whose value was never set; with its name, empty for an ``Object`` or
        /// ``RawData``.
        case unsetParameter(String)
        /// A value of the query, the path or a header field that has no text form, such as NaN; with the way to it.
        case unencodableParameter(String)
        /// A stored property whose name is one of ``Request``'s and whose type is another, so that it would be
        /// ignored; with the type that the request asks for.
        case mistypedProperty(name: String, type: String, expected: String)
        /// A file that is missing, unreadable or no file; with its path.
        case unreadableFile(String)
        /// A value that cannot be encoded; with the way to it, such as `user.tags[2]`, or what else
        /// keeps the body from being made.
        case unencodableBody(String)
    }

    /// What is wrong.
    public let reason: Reason
    /// Why there is no body to send; nil if the reason is another one.
    ///
    /// It says as data what the text of ``Reason/unencodableBody(_:)`` says to people.
    public let bodyProblem: BodyProblem?

    /// Makes an error.
    ///
    /// - Parameter reason: What is wrong.
    public init(_ reason: Reason) {
        self.init(reason, bodyProblem: nil)
    }

    init(_ reason: Reason, bodyProblem: BodyProblem?) {
        self.reason = reason
        self.bodyProblem = bodyProblem
    }
}

extension InvalidRequest {
    package init(_ property: MistypedProperty) {
        self.init(
            .mistypedProperty(
                name: property.name,
                type: property.type,
                expected: property.expected
            )
        )
    }
}

extension InvalidRequest: CustomStringConvertible {
    /// One lower-case line that names what is wrong, and never a value; what could end it is escaped.
    public var description: String {
        switch reason {
        case .missingEndpoint:
            "no endpoint: set Request.endpoint or Endpoint.default, or use execute(on:)"
        case .invalidURL(let text):
            "invalid URL \(text.debugDescription): it needs http or https and a host"
        case .invalidMethod(let method):
            "invalid method \(method.debugDescription): it is not a token, or can't have a body"
        case .invalidHeader(let name):
            "invalid header field \(name.debugDescription): its name or value is invalid, or NetKit sets it"
        case .missingPathParameter(let name):
            "path parameter \(name.debugDescription) and the path's placeholders don't match"
        case .unsafePathParameter(let name):
            "path parameter \(name.debugDescription) is empty, \".\" or \"..\""
        case .unsetParameter(""): "a body parameter has no value"
        case .unsetParameter(let name): "parameter \(name.debugDescription) has no value"
        case .unencodableParameter(let keyPath):
            "parameter \(keyPath.debugDescription) has no text form"
        case .mistypedProperty(let name, let type, let expected):
            "property \(name.debugDescription) would be ignored: declare it as \(expected), not \(type)"
        case .unreadableFile(let path): "file \(path.debugDescription) can't be read"
        case .unencodableBody(let keyPath): bodyText(keyPath)
        }
    }

    private func bodyText(_ keyPath: String) -> String {
        let place = keyPath.isEmpty ? "" : " at \(keyPath.debugDescription)"
        guard let type = bodyProblem?.typeWithoutForm else {
            return "body\(place) can't be encoded"
        }
        return "body: value\(place) (\(type)) has no JSON form"
    }
}
