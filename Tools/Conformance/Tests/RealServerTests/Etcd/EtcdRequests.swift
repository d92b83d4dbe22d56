import Foundation
import NetKit

/// What etcd says of a failure.
struct EtcdError: ServerError, Decodable {
    let error: String
    let code: Int

    var message: String { error }
}

/// A number that is written as a string, as JSON from gRPC has it.
struct Revision: Codable, Equatable {
    var number: Int64

    init(_ number: Int64) {
        self.number = number
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = Int64(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
        }
        self.number = number
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(number))
    }
}

struct KeyValue: Decodable {
    let key: Data
    let value: Data?
    let mod_revision: Revision
}

struct EtcdHeader: Decodable {
    let revision: Revision
}

/// Waits for a server that is being started again: its calls may be sent twice without harm.
private let patient: RetryPolicy = {
    var policy = RetryPolicy(
        maximumRetries: 600,
        backoff: .constant(.milliseconds(100)),
        methods: [.post]
    )
    policy.hasBudget = false
    return policy
}()

struct PutRequest: Request {
    struct Body: Encodable {
        let key: Data
        let value: Data
    }

    struct Result: Decodable {
        let header: EtcdHeader
    }

    typealias ResponseObjectType = Result
    typealias ErrorType = EtcdError
    let path = "v3/kv/put"
    let method: HTTPMethod = .post
    @Object private(set) var put: Body

    init(_ key: String, _ value: String) {
        put = Body(key: Data(key.utf8), value: Data(value.utf8))
    }
}

/// The values of a key, or of the keys in a range.
struct GetRequest: Request {
    struct Body: Encodable {
        let key: Data
        let range_end: Data?
    }

    struct Result: Decodable {
        let header: EtcdHeader
        let kvs: [KeyValue]?
    }

    typealias ResponseObjectType = Result
    typealias ErrorType = EtcdError
    let path = "v3/kv/range"
    let method: HTTPMethod = .post
    let retryPolicy: RetryPolicy? = patient
    @Object private(set) var range: Body

    init(_ key: String, until end: String? = nil) {
        range = Body(key: Data(key.utf8), range_end: end.map { Data($0.utf8) })
    }
}

struct DeleteKeyRequest: Request {
    struct Body: Encodable {
        let key: Data
    }

    struct Result: Decodable {
        let deleted: Revision?
    }

    typealias ResponseObjectType = Result
    typealias ErrorType = EtcdError
    let path = "v3/kv/deleterange"
    let method: HTTPMethod = .post
    @Object private(set) var range: Body

    init(_ key: String) {
        range = Body(key: Data(key.utf8))
    }
}

/// A key that is none, because it isn't in Base64.
struct MalformedGetRequest: Request {
    typealias ResponseObjectType = GetRequest.Result
    typealias ErrorType = EtcdError
    let path = "v3/kv/range"
    let method: HTTPMethod = .post
    let body: RequestBody? = .params(["key": "!"])
}

/// The changes of a key from a revision on, a line of JSON each.
struct WatchRequest: Request {
    struct Body: Encodable {
        struct Create: Encodable {
            let key: Data
            let start_revision: Revision
        }

        let create_request: Create
    }

    struct Message: Decodable {
        struct Result: Decodable {
            let created: Bool?
            let events: [Event]?
        }

        struct Event: Decodable {
            let kv: KeyValue
        }

        let result: Result
    }

    typealias ResponseObjectType = Void
    typealias ErrorType = EtcdError
    let path = "v3/watch"
    let method: HTTPMethod = .post
    let retryPolicy: RetryPolicy? = patient
    @Object private(set) var watch: Body

    init(_ key: String, from revision: Int64) {
        watch = Body(create_request: .init(key: Data(key.utf8), start_revision: Revision(revision)))
    }
}
