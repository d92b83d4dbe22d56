import Foundation
import Testing

@testable import NetKit

@Suite("Multipart request")
struct MultipartFormDataRequestTests {
    typealias Upload = DefaultMultipartFormDataRequest<Data, ServerMessage>

    private struct Avatar: MultipartFormDataRequest {
        typealias ResponseObjectType = Data
        let path = "avatar"
        var method: HTTPMethod = .post
        let files: [any MultipartFile]
    }

    private struct OwnFile: MultipartFile {
        let resource: any MultipartResourceConvertible = Data("own".utf8)
        let mime: MimeType = .image(.png)
        let fileName = "a.png"
    }

    private let endpoint = SampleEndpoint()

    @Test("names a field after its file by default")
    func names() throws {
        let file = DefaultMultipartFile(resource: Data(), mime: "a/b", fileName: "f.txt")
        #expect(file.name == "f.txt" && OwnFile().name == "a.png")
        let body = try endpoint.encode(Avatar(files: [OwnFile()])).bodyText()
        #expect(
            body.contains(
                "name=\"a.png\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nown\r\n"
            )
        )
    }

    @Test("creates a part from a file URL alone")
    func fileParts() {
        let url = URL(fileURLWithPath: "/tmp/some/photo.JPG")
        let file = DefaultMultipartFile(file: url)
        #expect(file.fileName == "photo.JPG" && file.name == "photo.JPG")
        #expect(file.mime == .image(.jpeg))
        let other = DefaultMultipartFile(file: url, mime: "a/b", name: "n", fileName: "f")
        #expect(other.fileName == "f" && other.name == "n" && other.mime == "a/b")
        #expect(DefaultMultipartFile(file: URL(fileURLWithPath: "/x")).mime == .binary)
    }

    @Test("writes params as text parts, nested values as JSON, and omits nil")
    func params() throws {
        let parameters: [String: any Sendable] = [
            "z": "text \"quoted\"", "a": 1, "b": true, "c": ["k": [1, 2]], "d": Int?.none,
            "e": Date(timeIntervalSince1970: 0),
        ]
        let encoded = try endpoint.encode(
            Upload(path: "x", body: .params(parameters), files: [OwnFile()])
        )
        let boundary = try #require(encoded.headers.contentType?.parameters["boundary"])
        let parts = try encoded.bodyText().components(separatedBy: "--\(boundary)").dropFirst()
            .dropLast()
        let texts = parts.map { $0.components(separatedBy: "\r\n\r\n").last?.dropLast() ?? "" }
        #expect(
            texts == [
                "1", "true", #"{"k":[1,2]}"#, "1970-01-01T00:00:00Z", "text \"quoted\"", "own",
            ]
        )
    }

    @Test("writes form fields as text parts, in order")
    func form() throws {
        let body = try endpoint.encode(Upload(path: "x", body: .form([("b", "ü&"), ("a", "1")])))
            .bodyText()
        let (first, second) = (
            body.range(of: "\"b\"\r\n\r\nü&\r\n"), body.range(of: "\"a\"\r\n\r\n1\r\n")
        )
        #expect(try #require(first).upperBound < (try #require(second)).lowerBound)
    }

    @Test("sends the same bytes as a body of the same parts")
    func sameBytes() throws {
        struct Described: MultipartFormDataRequest {
            typealias ResponseObjectType = Data
            let path = "x"
            let files: [any MultipartFile] = [OwnFile()]
            @Object var fields: [String: JSONValue] = ["a": 1, "b": ["x", nil], "c": nil]
        }
        let file = FormItem.data(
            "a.png",
            Data("own".utf8),
            fileName: "a.png",
            mime: .image(.png)
        )
        let fields = [FormItem.field("a", 1), .field("b", ["x", nil] as [String?])]
        let values: [String: any Sendable] = [
            "b": ["x", nil] as [String?], "a": 1, "c": Int?.none,
        ]
        let cases: [(any Request, [FormItem])] = [
            (Upload(path: "x", files: [OwnFile()]), [file]),
            (Upload(path: "x", body: .params(values), files: [OwnFile()]), fields + [file]),
            (Described(), fields + [file]),
            (
                Upload(path: "x", body: .form([("b", "2"), ("a", "1")]), files: [OwnFile()]),
                [.field("b", "2"), .field("a", "1"), file]
            ),
            (
                Upload(path: "x", body: .multipart([file, .field("a", 1)]), files: [OwnFile()]),
                [file, .field("a", 1), file]
            ),
        ]
        for (form, items) in cases {
            let other = DefaultRequest<Data, ServerMessage>(
                path: "x",
                method: .post,
                body: .multipart(items)
            )
            let texts = try [form, other]
                .map { request in
                    let encoded = try endpoint.encode(request)
                    let boundary = try #require(encoded.headers.contentType?.parameters["boundary"])
                    return try encoded.bodyText().replacingOccurrences(of: boundary, with: "B")
                }
            #expect(texts[0] == texts[1] && texts[0].hasSuffix("\r\n\r\nown\r\n--B--\r\n"))
        }
    }

    @Test("rejects a body that isn't made of fields")
    func otherBodies() throws {
        let bodies: [RequestBody] = [
            .raw(Data()), .string("t"), .json([:]), .encodable([1]),
            .file(URL(fileURLWithPath: "/dev/null")),
        ]
        for body in bodies {
            let reason = try endpoint.refusal(Upload(path: "x", body: body, files: [OwnFile()]))
            #expect(reason == .unencodableBody("a body next to files must be a form"), "\(body)")
        }
        let nan = Upload(path: "x", body: .params(["k": ["n": Double.nan]]))
        #expect(try endpoint.refusal(nan) == .unencodableBody("k.n"))
    }

    @Test("rejects a method without a body")
    func methods() throws {
        #expect(
            try endpoint.refusal(Avatar(method: .get, files: []))
                == .invalidMethod("GET with a body")
        )
    }

    @Test("keeps its decoder and all other values of its initializer")
    func properties() {
        let decoder = JSONDecoder()
        let upload = DefaultMultipartFormDataRequest<[Int], String>(
            path: "x",
            timeout: 3,
            decoder: decoder,
            authToken: .bearer("t"),
            files: [OwnFile()]
        )
        #expect(upload.method == .post && upload.decoder === decoder && upload.timeout == 3)
        #expect(upload.authToken == .bearer("t") && upload.files.count == 1)
        #expect(upload.responseDecoding.accept == "application/json")
        #expect(DefaultMultipartFormDataRequest<Void, String>(path: "x").files.isEmpty)
        #expect(DefaultMultipartFormDataRequest<String, String>(path: "x").method == .post)
        #expect(Upload(path: "x").responseDecoding.accept == "*/*")
    }
}
