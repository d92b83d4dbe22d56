import Foundation
import NetKit
import NetKitTesting

/// A request with something awkward in every place, the same for the same seed.
struct GeneratedRequest: Request {
    /// The same with files.
    struct Form: MultipartFormDataRequest {
        typealias ResponseObjectType = Void

        let base: GeneratedRequest
        let files: [any MultipartFile]
        var path: String { base.path }
        var method: HTTPMethod { base.method }
        var queryParams: [(String, String)] { base.queryParams }
        var body: RequestBody? { base.body }
        var headers: HTTPHeaders { base.headers }
    }

    typealias ResponseObjectType = Void

    private(set) var path = ""
    private(set) var method: HTTPMethod = .post
    private(set) var queryParams: [(String, String)] = []
    private(set) var body: RequestBody?
    private(set) var headers: HTTPHeaders = [:]
    private var files: [any MultipartFile] = []

    static let texts = [
        "", "plain", "it's", "''", "a\nb\r\nc\n", "$HOME ${x} $(id) `id`", #"back\slash \\ \n"#,
        #""double""#, "é🏠Ж", "!history!", "%s %d %% %0A", "-d", "@/etc/passwd", "<file",
        "a;type=x/y",
        "* ? [a] {b,c} ~ & | ; < > #", "tab\there", " blank ", "trailing \\", "a=b&c=d",
        "\u{FEFF}mark", "- a\n- b", "---\r\n",
    ]

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - seed: Which one.
    ///   - folder: Where files may be put.
    /// - Returns: The request.
    /// - Throws: What kept a file from being written.
    static func make(
        seed: UInt64,
        in folder: TemporaryFolder
    ) throws -> any Request<Void, ServerMessage> {
        let request = try GeneratedRequest(seed: seed, in: folder)
        return request.files.isEmpty ? request : Form(base: request, files: request.files)
    }

    private init(seed: UInt64, in folder: TemporaryFolder) throws {
        var random = SeededGenerator(seed: seed)
        func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
        func line() -> String {
            text().filter { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
        }
        path =
            "/p/"
            + (0..<Int.random(in: 0...2, using: &random)).map { _ in "x\(line())" }
            .joined(separator: "/")
            .replacingOccurrences(of: "?", with: "").replacingOccurrences(of: "#", with: "")
            .replacingOccurrences(of: "%", with: "").replacingOccurrences(of: "{", with: "")
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            queryParams.append(("q" + line(), text()))
        }
        for number in 0..<Int.random(in: 0...3, using: &random) {
            headers[HTTPHeaderName("X-Field-\(number)")] = line().filter(\.isASCII)
        }
        method =
            [.post, .put, .patch, .delete, .custom("REPORT")].randomElement(using: &random) ?? .post
        switch Int.random(in: 0..<8, using: &random) {
        case 0: method = [.get, .head, .options].randomElement(using: &random) ?? .get
        case 1: body = .string(text())
        case 2: body = .params(["a": text(), "n": 12, "list": [text(), text()]])
        case 3: body = .form([("name", text()), ("b" + line(), text())])
        case 4: body = .raw(Data((0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }))
        case 5:
            let file = folder.file("it's a $file \(seed)")
            try Data(text().utf8 + [0, 255]).write(to: file)
            body = .file(file)
        default:
            body = .params(["field": text(), "another": line()])
            for number in 0..<Int.random(in: 1...3, using: &random) {
                files.append(try part(number, text(), line(), &random, in: folder))
            }
        }
    }

    private func part(
        _ number: Int,
        _ text: String,
        _ line: String,
        _ random: inout SeededGenerator,
        in folder: TemporaryFolder
    ) throws -> DefaultMultipartFile {
        let resource: any MultipartResourceConvertible
        switch Int.random(in: 0..<3, using: &random) {
        case 0: resource = Data(text.utf8)
        case 1: resource = Data([0, 1, 255, UInt8(number)])
        default:
            let file = folder.file("\(UUID().uuidString) ,;\"it's")
            try Data(text.utf8).write(to: file)
            resource = file
        }
        let types = ["text/plain", "application/octet-stream", "text/x; charset=utf-8"]
        return DefaultMultipartFile(
            resource: resource,
            mime: MimeType(rawValue: types.randomElement(using: &random) ?? ""),
            name: "file\(line)",
            fileName: "f\(line).txt"
        )
    }
}
