import Foundation

@testable import NetKit
@testable import NetKitSupport

extension FuzzTarget {
    static let redaction = [
        FuzzTarget("redact-body", hasFirstLine: true, RedactionProperties.body),
        FuzzTarget("redact-json", RedactionProperties.json),
        FuzzTarget("redact-form", RedactionProperties.form),
        FuzzTarget("redact-multipart", RedactionProperties.multipart),
        FuzzTarget("redact-nested", RedactionProperties.nested),
        FuzzTarget("redact-text", RedactionProperties.text),
        FuzzTarget("redact-url", RedactionProperties.url),
        FuzzTarget("redact-field", hasFirstLine: true, RedactionProperties.field),
    ]
}

/// What may be shown of requests and responses: no secret that was planted in them.
private enum RedactionProperties {
    private static let secret = "planted"
    private static let names = ["password", "access_token", "apiKey", "client-secret"]
    private static let redaction = Redaction(showsFields: true)

    /// Any body of any type can be shown, at a length in proportion to its own.
    static func body(_ input: FuzzInput) throws {
        let (type, rest) = input.lines
        let body = Data(rest)
        let shown = redaction.shown(body: body, type: type)
        let note = RedactedBody.note(type: type, length: body.count)
        let isHidden = Redaction.secrets.shown(body: body, type: type) == Data(note.utf8)
        try expect(isHidden || body.isEmpty, "no body is shown by default")
        try expect(
            shown.count <= 24 * rest.count + 1024,
            "what is shown is no longer than it may be"
        )
        try message(of: body, type: type)
    }

    /// What a server says of an error is one line of at most 200 characters.
    private static func message(of body: Data, type: String) throws {
        guard let url = URL(string: "https://host.test/") else { return }
        let head = ResponseHead(status: 400, headers: [.contentType: type])
        let response = HTTPResponse(to: EncodedRequest(url: url, method: .get), head, body: body)
        let decoded = try ServerMessage.decode(from: response, using: JSONDecoder())
        let errors: [ErrorResponse<ServerMessage>] = [
            .server(decoded, response),
            .undecodableServerError(response, underlying: Finding("it is no error")),
        ]
        for line in errors.flatMap({ [$0.message, $0.localizedDescription] }) {
            try expect(line.count <= 200, "a message has at most 200 characters: \(line)")
            try expect(!line.contains(where: \.isNewline), "a message is one line: \(line)")
        }
    }

    /// No member of an object with a secret name is shown, at whatever depth.
    static func json(_ input: FuzzInput) throws {
        guard let value = accepted(try JSONText.value(of: input.data)),
            let plain = accepted(try JSONWriter.data(from: value)), !plain.contains(text: secret),
            let body = accepted(try JSONWriter.data(from: planting(in: value)))
        else { return }
        let shown = redaction.shown(body: body, type: "application/json")
        try expect(
            !shown.contains(text: secret),
            "no secret is shown: \(text(body)) \(text(shown))"
        )
    }

    /// The value with a secret in each of its objects: as a member, or as a value beside its name.
    private static func planting(in value: JSONValue) -> JSONValue {
        switch value {
        case .object(var members):
            members = members.mapValues { planting(in: $0) }
            let name = names[members.count % names.count]
            let hidden: JSONValue =
                members.count % 2 == 0 ? .string(secret) : [.string("x\(secret)")]
            if members.count % 3 == 0 {
                members["name"] = .string(name)
                members["value"] = hidden
            } else {
                members[name] = hidden
            }
            return .object(members)
        case .array(let elements): return .array(elements.map { planting(in: $0) })
        default: return value
        }
    }

    /// No field of a form with a secret name is shown, among any others.
    static func form(_ input: FuzzInput) throws {
        guard !input.bytes.contains(text: secret) else { return }
        let body =
            Data("\(names[0])=\(secret)&".utf8) + input.data
            + Data("&\(names[1])=\(secret)".utf8)
        let type = "application/x-www-form-urlencoded"
        let shown = redaction.shown(body: body, type: type)
        try expect(!shown.contains(text: secret), "no secret is shown: \(text(shown))")
    }

    /// No part with a secret name is shown, among any others.
    static func multipart(_ input: FuzzInput) throws {
        guard !input.bytes.contains(text: secret) else { return }
        var body = Data()
        for (name, content) in [
            ("a", input.data), ("password", Data(secret.utf8)), ("b", input.data),
        ] {
            body += Data("--B0\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8)
            body += content + Data("\r\n".utf8)
        }
        body += Data("--B0--\r\n".utf8)
        let shown = redaction.shown(body: body, type: "multipart/form-data; boundary=B0")
        // A part that has the boundary in it ends there, and what follows is another one's head.
        guard !input.bytes.contains(text: "--B0") else { return }
        try expect(!shown.contains(text: secret), "no secret is shown: \(text(shown))")
    }

    /// No secret is shown within as many multipart bodies as the input has bytes.
    static func nested(_ input: FuzzInput) throws {
        guard !input.bytes.contains(text: secret), !input.bytes.contains(text: "--") else { return }
        let depth = min(input.bytes.count, 10_000)
        var body = Data()
        for level in 0..<depth {
            let type = "multipart/mixed; boundary=B\(level + 1)"
            body += Data("--B\(level)\r\nContent-Type: \(type)\r\n\r\n".utf8)
        }
        let disposition = "form-data; name=\"password\""
        body += Data("--B\(depth)\r\nContent-Disposition: \(disposition)\r\n\r\n".utf8)
        body += Data("\(secret)\r\n--B\(depth)--\r\n".utf8) + input.data
        let shown = redaction.shown(body: body, type: "multipart/mixed; boundary=B0")
        try expect(!shown.contains(text: secret), "no secret is shown: \(text(shown))")
    }

    /// No secret is shown that a JSON string assigns to its name, behind any other text.
    static func text(_ input: FuzzInput) throws {
        guard !input.bytes.contains(text: secret) else { return }
        for assignment in [
            "access_token=\(secret)", "password: \(secret)", "https://me:\(secret)@h/",
            "https://h/?sig=\(secret)", "<pin>\(secret)</pin>",
        ] {
            let value = JSONValue.object(["a": .string("\(input.text) \(assignment)")])
            guard let body = accepted(try JSONWriter.data(from: value)) else { return }
            let shown = redaction.shown(body: body, type: "application/json")
            try expect(!shown.contains(text: secret), "no secret is shown: \(text(shown))")
        }
    }

    /// No user, password or secret value of a query is shown of a URL.
    static func url(_ input: FuzzInput) throws {
        var path: [UInt8] = []
        PercentEncoding.append(input.text, as: .path, to: &path)
        var query: [UInt8] = []
        PercentEncoding.append(input.text, as: .query, to: &query)
        let address =
            "https://user:\(secret)@host.test/\(String(decoding: path, as: UTF8.self))?"
            + "\(String(decoding: query, as: UTF8.self))&\(names[1])=\(secret)#\(secret)"
        guard !input.bytes.contains(text: secret), let url = URL(string: address) else { return }
        for shown in [Redaction.secrets.shown(url), RedactedURL(url).description] {
            try expect(!shown.utf8.contains(text: secret), "no secret is shown: \(shown)")
        }
    }

    /// No secret of an address in a header field is shown.
    static func field(_ input: FuzzInput) throws {
        let (name, rest) = input.lines
        let value = String(decoding: rest, as: UTF8.self)
        let field = HTTPHeaderName(name)
        _ = Redaction.secrets.shown(value, of: field, in: [field: value])
        guard !value.utf8.contains(text: secret), !value.utf8.contains(UInt8(ascii: "#")) else {
            return
        }
        let separator = value.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let location = "\(value)\(separator)\(names[1])=\(secret)"
        let shown = Redaction.secrets.shown(location, of: .location, in: [.location: location])
        try expect(!shown.utf8.contains(text: secret), "no secret is shown: \(shown)")
        let secretName = HTTPHeaderName("X-\(names[0])")
        let hidden = Redaction.secrets.shown(secret, of: secretName, in: [secretName: secret])
        try expect(hidden, is: Redaction.mark, "a secret field is hidden")
    }

    private static func text(_ data: Data) -> String {
        String(decoding: data.prefix(500), as: UTF8.self)
    }
}
