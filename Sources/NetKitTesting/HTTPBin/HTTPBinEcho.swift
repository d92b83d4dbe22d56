import Foundation
import NetKit

/// httpbin's description of a request, as a JSON object.
struct HTTPBinEcho {
    /// A part of a request.
    enum Part {
        case args, data, files, form, headers, json, method, origin, url
    }

    let request: RecordedRequest

    /// Returns the parts as JSON text.
    func text(_ parts: [Part], adding members: [(name: String, value: String)] = []) -> String {
        HTTPBinJSON.object(members + parts.map { ("\($0)", text(of: $0)) })
    }

    /// The request's absolute URL.
    var url: String {
        request.target.hasPrefix("/") ? "\(origin)\(request.target)" : request.target
    }

    /// The scheme, host and port that the client used.
    var origin: String { "http://" + (request.header("Host") ?? "127.0.0.1") }

    private func text(of part: Part) -> String {
        switch part {
        case .args: HTTPBinJSON.object(ofItems: request.query)
        case .data: HTTPBinJSON.string(data)
        case .files: HTTPBinJSON.object(ofItems: isMultipart ? fileItems : [])
        case .form: HTTPBinJSON.object(ofItems: formItems)
        case .headers: headers
        case .json: HTTPBinJSON.value(request.body)
        case .method: HTTPBinJSON.string(request.method.rawValue)
        case .origin: HTTPBinJSON.string("127.0.0.1")
        case .url: HTTPBinJSON.string(url)
        }
    }

    private var headers: String {
        let fields = Dictionary(grouping: request.headers) { $0.name.rawName.lowercased() }
        let joined = fields.values.map { fields in
            (name: fields[0].name.rawName, value: fields.map(\.value).joined(separator: ","))
        }
        return HTTPBinJSON.object(ofItems: joined)
    }

    private var contentType: String { request.header("Content-Type")?.lowercased() ?? "" }
    private var isForm: Bool { contentType.hasPrefix("application/x-www-form-urlencoded") }
    private var isMultipart: Bool { contentType.hasPrefix("multipart/form-data") }

    private var formItems: [(name: String, value: String)] {
        if isForm { return request.form }
        return request.multipart.filter { $0.fileName == nil }.map { ($0.name ?? "", $0.text) }
    }

    private var fileItems: [(name: String, value: String)] {
        request.multipart.filter { $0.fileName != nil }.map { ($0.name ?? "", Self.text($0.body)) }
    }

    /// The body, or nothing if it is a form.
    private var data: String {
        isForm || isMultipart ? "" : Self.text(request.body)
    }

    /// Returns UTF-8 bytes as text, and other bytes as a data URL.
    private static func text(_ bytes: Data) -> String {
        String(data: bytes, encoding: .utf8)
            ?? "data:application/octet-stream;base64," + bytes.base64EncodedString()
    }
}

extension [HTTPBinEcho.Part] {
    /// All parts, in httpbin's order.
    static let all: Self = [
        .args, .data, .files, .form, .headers, .json, .method, .origin, .url,
    ]
    /// The parts for a request without a body.
    static let withoutBody: Self = [.args, .headers, .origin, .url]
    /// The parts for a request with a body.
    static let withBody: Self = all.filter { $0 != .method }
}
