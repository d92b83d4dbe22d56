import NetKit

/// What httpbin says of a request.
struct Echo: Decodable {
    var method: String?
    let url: String
    let args: JSONValue
    let headers: [String: String]
    var form: JSONValue?
    var files: [String: String]?
    var data: String?
    var json: JSONValue?
}

/// Any request that httpbin describes.
struct EchoRequest: Request {
    typealias ResponseObjectType = Echo
    let path: String
    let method: HTTPMethod
    let body: RequestBody?
    let headers: HTTPHeaders
    let queryParams: [(String, String)]

    init(
        _ method: HTTPMethod = .get,
        path: String = "anything",
        query: [(String, String)] = [],
        headers: HTTPHeaders = [:],
        body: RequestBody? = nil
    ) {
        self.path = path
        self.method = method
        self.body = body
        self.headers = headers
        queryParams = query
    }
}

struct Person: Encodable {
    let name: String
    let age: Int
}

/// A JSON body from a value.
struct CreatePersonRequest: Request {
    typealias ResponseObjectType = Echo
    let path = "post"
    let method: HTTPMethod = .post
    @Object private(set) var person: Person

    init(_ person: Person) {
        self.person = person
    }
}

/// A form with text and files.
struct UploadRequest: MultipartFormDataRequest {
    typealias ResponseObjectType = Echo
    let path = "post"
    let method: HTTPMethod = .post
    let body: RequestBody? = .params(["title": "Grüße, \"Welt\""])
    let files: [any MultipartFile]
}
