import Foundation
import NetKit

/// An error of S3, which `CompleteMultipartUpload` also sends with status 200.
struct StorageError: ServerError {
    let code: String
    let message: String

    /// Reads the error in a body, or returns nil if there is none.
    init?(_ body: Data) {
        guard let document = StorageDocument(body), document.root == "Error" else { return nil }
        code = document.first("Code") ?? "Unknown"
        message = document.first("Message") ?? code
    }

    static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> StorageError {
        guard let error = StorageError(response.body) else { throw MalformedDocument() }
        return error
    }
}

/// The name of an object, and its bucket's.
struct StoredObject {
    let bucket: String
    let key: String

    var path: String { "\(bucket)/\(key)" }
}

extension ResponseDecoding {
    /// A value of an XML document.
    static func document(
        _ read: @escaping @Sendable (StorageDocument) throws -> Value
    ) -> ResponseDecoding {
        ResponseDecoding(accept: "application/xml") { response, _ in
            guard let document = StorageDocument(response.body) else { throw MalformedDocument() }
            return try read(document)
        }
    }
}

/// The upload of an object that is under way, by its ID, if there is one.
struct FindUploadRequest: Request {
    typealias ResponseObjectType = String?
    typealias ErrorType = StorageError
    let path: String
    let queryItems: [QueryItem] = [.flag("uploads")]
    let responseDecoding: ResponseDecoding<String?>

    init(_ object: StoredObject) {
        path = object.bucket
        responseDecoding = .document { document in
            zip(document.all("Key"), document.all("UploadId")).first { $0.0 == object.key }?.1
        }
    }
}

struct StartUploadRequest: Request {
    typealias ResponseObjectType = String?
    typealias ErrorType = StorageError
    let path: String
    let method: HTTPMethod = .post
    let queryItems: [QueryItem] = [.flag("uploads")]
    let responseDecoding = ResponseDecoding<String?>.document { $0.first("UploadId") }

    init(_ object: StoredObject) {
        path = object.path
    }
}

/// The parts that the server has, some at a time.
struct ListPartsRequest: Request {
    struct Page {
        /// The ETag of each part, by its number.
        let parts: [Int: String]
        /// The number after which the next page begins; nil at the end.
        let next: Int?
    }

    typealias ResponseObjectType = Page
    typealias ErrorType = StorageError
    let path: String
    let queryParams: [(String, String)]
    let responseDecoding = ResponseDecoding<Page>
        .document { document in
            let numbers = document.all("PartNumber").compactMap { Int($0) }
            let isCut = document.first("IsTruncated") == "true"
            return Page(
                parts: Dictionary(zip(numbers, document.all("ETag"))) { _, newer in newer },
                next: isCut ? document.first("NextPartNumberMarker").flatMap { Int($0) } : nil
            )
        }

    init(_ object: StoredObject, _ upload: String, after number: Int?) {
        path = object.path
        let marker = number.map { [("part-number-marker", "\($0)")] } ?? []
        queryParams = [("uploadId", upload), ("max-parts", "7")] + marker
    }
}

struct UploadPartRequest: Request {
    typealias ResponseObjectType = String
    typealias ErrorType = StorageError
    let path: String
    let method: HTTPMethod = .put
    let queryParams: [(String, String)]
    let body: RequestBody?
    let responseDecoding = ResponseDecoding<String> { response, _ in
        guard let tag = response.headers[.eTag] else { throw MalformedDocument() }
        return tag
    }

    init(_ object: StoredObject, _ upload: String, _ number: Int, _ part: RequestBody) {
        path = object.path
        queryParams = [("partNumber", "\(number)"), ("uploadId", upload)]
        body = part
    }
}

/// Makes an object of its parts, which may be repeated.
struct CompleteUploadRequest: Request {
    typealias ResponseObjectType = String
    typealias ErrorType = StorageError
    let path: String
    let method: HTTPMethod = .post
    let queryParams: [(String, String)]
    let body: RequestBody?
    let retryPolicy: RetryPolicy? = RetryPolicy(
        maximumRetries: 3,
        backoff: .constant(.milliseconds(10)),
        methods: [.post]
    )
    let responseDecoding = ResponseDecoding<String>
        .document { document in
            guard let tag = document.first("ETag") else { throw MalformedDocument() }
            return tag
        }

    init(_ object: StoredObject, _ upload: String, _ parts: [Int: String]) {
        path = object.path
        queryParams = [("uploadId", upload)]
        let listed = parts.sorted { $0.key < $1.key }
            .map { "<Part><PartNumber>\($0.key)</PartNumber><ETag>\($0.value)</ETag></Part>" }
        body = .raw(
            Data(
                "<CompleteMultipartUpload>\(listed.joined())</CompleteMultipartUpload>".utf8
            )
        )
    }

    func status(of response: HTTPResponse) -> HTTPStatus {
        guard response.status == .ok, let error = StorageError(response.body) else {
            return response.status
        }
        switch error.code {
        case "InternalError": return .internalServerError
        case "SlowDown", "ServiceUnavailable": return .serviceUnavailable
        default: return .badRequest
        }
    }
}
