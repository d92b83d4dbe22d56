import Foundation
import NetKitSupport

/// An error in a request, found before anything is sent.
public struct InvalidRequest: Error, Sendable {
    /// A reason why a request can't be sent.
    public enum Reason: Hashable, Sendable {
        /// Neither the request nor ``Endpoint/default`` specifies an endpoint.
        case missingEndpoint
        /// The endpoint accepts no calls after ``Endpoint/shutdown(deadline:)``.
        case endpointShutDown
        /// The URL isn't an http or https URL with a host. Contains the redacted URL.
        ///
        /// It is the base URL, or an absolute URL in the request's path. The text is empty if a secret can't be told from
        /// the rest of the URL. The error's description says what is wrong.
        case invalidURL(String)
        /// The method isn't a token, or doesn't allow the request's body.
        case invalidMethod(String)
        /// A header field can't be sent.
        ///
        /// Its name isn't a token, its value contains a control character, or NetKit sets the field itself, such as
        /// `Content-Length`.
        case invalidHeader(name: String)
        /// A placeholder has no value, or a value has no placeholder.
        case missingPathParameter(String)
        /// A path value has a segment that is empty, `.` or `..`.
        case unsafePathParameter(String)
        /// A parameter, such as a ``Query`` or ``Header``, has no value.
        ///
        /// Contains its name, which is empty for an ``Object`` or ``RawData``. A ``Path`` without a value is reported as
        /// ``missingPathParameter(_:)``.
        case unsetParameter(String)
        /// A query, path or header value has no text form, such as NaN. Contains its key path.
        case unencodableParameter(String)
        /// A property, stored or computed, has the name of a ``Request`` requirement but a different type.
        ///
        /// Swift would ignore the property. `expected` is the type that the requirement has. A stored property with a
        /// name such as `params`, `httpBody` or `requiresAuthentication` is refused too, unless something uses its value.
        case mistypedProperty(name: String, type: String, expected: String)
        /// A file is missing, unreadable, not a regular file, or shorter than the part of it to send.
        ///
        /// Contains its path, or the redacted URL of what isn't a file. The error's description has the system's reason.
        case unreadableFile(String)
        /// The body can't be encoded.
        ///
        /// Contains the key path of the value, such as `user.tags[2]`, or another reason.
        case unencodableBody(String)
    }

    /// The reason why the request can't be sent.
    public let reason: Reason
    /// The reason why the body can't be sent, or nil for any other reason.
    ///
    /// It is the typed form of the text in ``Reason/unencodableBody(_:)``.
    public let bodyProblem: BodyProblem?
    /// What is wrong, for people, where the reason alone doesn't say it.
    private var problem: String?
    /// Whether the request was that of a token refresh.
    private var isOfRefresh = false

    /// Creates an error.
    ///
    /// - Parameter reason: The reason why the request can't be sent.
    public init(_ reason: Reason) { self.init(reason, bodyProblem: nil) }

    /// Creates an error that says what is wrong.
    package init(_ reason: Reason, _ problem: String) {
        self.init(reason, bodyProblem: nil)
        self.problem = problem
    }

    init(_ reason: Reason, bodyProblem: BodyProblem?) {
        self.reason = reason
        self.bodyProblem = bodyProblem
    }

    /// The same error of a token refresh.
    func duringRefresh() -> InvalidRequest {
        var error = self
        error.isOfRefresh = true
        return error
    }
}

extension InvalidRequest {
    /// Creates an error for a URL that can't be requested, which says what is wrong with it.
    ///
    /// An `@` outside of a user's place can be the end of a password, so that the URL isn't shown.
    init(url: URL) { self.init(RefusedAddress(url)) }

    init(_ address: RefusedAddress) {
        self.init(.invalidURL(address.shown), address.problem)
    }

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

extension InvalidRequest: Described {
    /// A one-line description that names the problem.
    ///
    /// It can contain the method, the redacted URL, a file path and names, but no values of parameters or header
    /// fields. Line breaks and other special characters in them are escaped.
    package var shown: String { (isOfRefresh ? "\(FailurePlace.refreshFailed): " : "") + text }

    private var text: String {
        switch reason {
        case .missingEndpoint:
            "no endpoint: set Request.endpoint or Endpoint.default, or use execute(on:)"
        case .endpointShutDown: "the endpoint is shut down"
        case .invalidURL(""): "invalid URL: \(problem ?? "it is empty")"
        case .invalidURL(let text):
            "invalid URL \(text.debugDescription): \(problem ?? "it needs http or https and a host")"
        case .invalidMethod(let text): methodText(text)
        case .invalidHeader(let name):
            "header field \(name.debugDescription): "
                + (problem ?? "its name or value is invalid, or NetKit sets it")
        case .missingPathParameter(let name):
            problem
                ?? "path parameter \(name.debugDescription) and the path's placeholders don't match"
        case .unsafePathParameter(let name):
            "path parameter \(name.debugDescription) has a segment that is empty, \".\" or \"..\""
        case .unsetParameter(""): "a body parameter has no value"
        case .unsetParameter(let name): "parameter \(name.debugDescription) has no value"
        case .unencodableParameter(let keyPath):
            "parameter \(keyPath.debugDescription) has no text form"
                + (problem.map { ": \($0)" } ?? "")
        case .mistypedProperty(let name, let type, let expected):
            // Only the name is wrong.
            expected.hasSuffix(": \(type)")
                ? "property \(name.debugDescription) would be ignored: declare \(expected)"
                : "property \(name.debugDescription) would be ignored: declare it as \(expected), not \(type)"
        case .unreadableFile(let path):
            "file \(path.debugDescription) can't be read" + (problem.map { ": \($0)" } ?? "")
        case .unencodableBody(let keyPath): bodyText(keyPath)
        }
    }

    private func methodText(_ method: String) -> String {
        if case .notAllowed(let method)? = bodyProblem {
            return
                "a \(method) can't have a body: set method to .post or .put, or send the values as queryParams"
        }
        return "invalid method \(method.debugDescription): \(FieldProblem.ofMethod(method))"
    }

    private func bodyText(_ keyPath: String) -> String {
        let place = keyPath.isEmpty ? "" : " at \(keyPath.debugDescription)"
        guard let type = bodyProblem?.typeWithoutForm else {
            guard bodyProblem != nil else {
                return "body\(place)" + (problem.map { ": \($0)" } ?? " can't be encoded")
            }
            // Words in place of a key path, escaped because they can include the name of a part.
            let words = keyPath.debugDescription.dropFirst().dropLast()
            return "body: \(words.replacing("\\'", with: "'"))"
        }
        switch type {
        case "Data" where keyPath.isEmpty:
            return "body: a Data would be sent as base64 text, use .raw(data) for the bytes"
        case "String" where keyPath.isEmpty:
            return
                "body: a String would be sent in quotes, use .string(text), or .json for a JSON string"
        default:
            let words = problem.map { ": \($0)" } ?? ""
            return "body: value\(place) (\(type)) has no JSON form\(words)"
        }
    }
}

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
        problem = value.words
    }

    /// Creates an error for a body that the method doesn't allow.
    init(bodyNotAllowedBy method: HTTPMethod) {
        self.init(.invalidMethod("\(method) with a body"), bodyProblem: .notAllowed(method))
    }
}

extension InvalidRequest.BodyProblem {
    /// The type that has no JSON form, if that is the reason.
    var typeWithoutForm: String? {
        if case .noJSONForm(let type, _) = self { type } else { nil }
    }
}
