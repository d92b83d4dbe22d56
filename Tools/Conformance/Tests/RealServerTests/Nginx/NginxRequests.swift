import Foundation
import NetKit

/// The version of HTTP that a request arrived in.
struct ProtocolRequest: Request {
    typealias ResponseObjectType = String
    let path = "protocol"
}

struct LargeFileRequest: Request {
    typealias ResponseObjectType = Data
    let path = "large.bin"
}

/// Some bytes of the large file, such as `bytes=0-9`.
struct RangeRequest: Request {
    typealias ResponseObjectType = Data
    let path = "large.bin"
    @Header(.range) private(set) var range: String

    init(_ range: String) {
        self.range = range
    }
}

struct LinesRequest: Request {
    typealias ResponseObjectType = String
    let path = "lines.txt"
}

struct Hello: Decodable, Equatable {
    let hello: String
}

struct HelloRequest: Request {
    typealias ResponseObjectType = Hello
    let path = "hello.json"
    var headers: HTTPHeaders = [:]
    var cachePolicy = CachePolicy.standard
}

struct HelloHeadRequest: Request {
    typealias ResponseObjectType = Void
    let path = "hello.json"
    let method: HTTPMethod = .head
}

/// A path that a redirect leads away from.
struct MovedRequest: Request {
    typealias ResponseObjectType = String
    let path: String
    var method: HTTPMethod = .get
    var body: RequestBody?
}

/// An upload that nginx refuses for its size.
struct TooLargeUpload: Request {
    typealias ResponseObjectType = Void
    let path = "small"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(bytes: Int) {
        body = .raw(Data(count: bytes))
    }
}

/// A path whose answer is an error, or none.
struct RefusedRequest: Request {
    typealias ResponseObjectType = Void
    let path: String
    var method: HTTPMethod = .get
    let retryPolicy: RetryPolicy? = .never
}

struct ProtectedRequest: Request {
    typealias ResponseObjectType = Hello
    let path = "basic"
}
