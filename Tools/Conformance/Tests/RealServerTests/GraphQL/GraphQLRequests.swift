import Foundation
import NetKit

/// The errors that a GraphQL server answers with, mostly with status 200.
struct GraphQLFailure: ServerError, Decodable, Error {
    struct Problem: Decodable {
        let message: String
        let path: [JSONValue]?
        let extensions: [String: JSONValue]?
    }

    let errors: [Problem]

    var message: String { errors.map(\.message).joined(separator: " ") }
    /// The code of the first error.
    var code: String? { errors.first?.extensions?["code"]?.stringValue }
}

/// An operation of a GraphQL server.
protocol GraphQLRequest: Request where ErrorType == GraphQLFailure {
    var document: String { get }
    var variables: JSONValue { get }
}

extension GraphQLRequest {
    var path: String { "graphql" }
    var method: HTTPMethod { .post }
    var variables: JSONValue { [:] }
    var body: RequestBody? { .json(["query": .string(document), "variables": variables]) }

    func status(of response: HTTPResponse) -> HTTPStatus {
        guard response.status == .ok,
            let failure = try? JSONDecoder().decode(GraphQLFailure.self, from: response.body)
        else { return response.status }
        return failure.code == "UNAUTHENTICATED" ? .unauthorized : .unprocessableContent
    }
}

struct Order: Decodable, Equatable {
    let id: Int
    let total: Double
}

struct OrderRequest: GraphQLRequest {
    typealias ResponseObjectType = Order
    let document = "query ($id: Int!) { order(id: $id) { id total } }"
    let variables: JSONValue
    let responseDecoding = ResponseDecoding<Order>.json(at: "data/order")

    init(_ id: Int) {
        variables = ["id": .number(Decimal(id))]
    }
}

/// An order whose decoding throws the errors of a 200, instead of a ``GraphQLRequest/status(of:)``.
struct ThrowingOrderRequest: Request {
    private struct Answer: Decodable {
        struct Content: Decodable { let order: Order }
        let data: Content
    }

    typealias ResponseObjectType = Order
    typealias ErrorType = GraphQLFailure
    let path = "graphql"
    let method: HTTPMethod = .post
    let body: RequestBody?
    let responseDecoding = ResponseDecoding<Order> { response, decoder in
        if let failure = try? decoder.decode(GraphQLFailure.self, from: response.body) {
            throw failure
        }
        return try decoder.decode(Answer.self, from: response.body).data.order
    }

    init(_ id: Int) { body = OrderRequest(id).body }
}

/// A document that is none.
struct MalformedOrderRequest: GraphQLRequest {
    typealias ResponseObjectType = Order
    let document = "{ order(id: 1) {"
}

/// Who the token belongs to.
struct MeRequest: GraphQLRequest {
    typealias ResponseObjectType = String
    let document = "query ($crowd: String!) { me(crowd: $crowd) }"
    let variables: JSONValue
    let responseDecoding = ResponseDecoding<String>.json(at: "data/me")

    /// - Parameter crowd: The name of twenty queries that the server answers at the same time.
    init(crowd: String) {
        variables = ["crowd": .string(crowd)]
    }
}

/// A new token for a user, whose earlier ones expire.
struct RenewRequest: GraphQLRequest {
    typealias ResponseObjectType = String
    let document = "mutation ($user: String!) { renew(user: $user) }"
    let variables: JSONValue
    let isAuthenticated = false
    let responseDecoding = ResponseDecoding<String>.json(at: "data/renew")

    init(_ user: String) {
        variables = ["user": .string(user)]
    }
}

/// How often a user's token was renewed.
struct RenewalsRequest: GraphQLRequest {
    typealias ResponseObjectType = Int
    let document = "query ($user: String!) { renewals(user: $user) }"
    let variables: JSONValue
    let isAuthenticated = false
    let responseDecoding = ResponseDecoding<Int>.json(at: "data/renewals")

    init(_ user: String) {
        variables = ["user": .string(user)]
    }
}

/// Several orders in one request, each with its own data or errors.
struct OrdersBatch: Request {
    struct Answer: Decodable {
        struct Content: Decodable {
            let order: Order?
        }

        let data: Content?
        let errors: [GraphQLFailure.Problem]?
    }

    typealias ResponseObjectType = [Answer]
    let path = "graphql"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(_ ids: [Int]) {
        body = .json(
            .array(
                ids.map { id in
                    let request = OrderRequest(id)
                    return [
                        "query": .string(request.document), "variables": request.variables,
                    ]
                }
            )
        )
    }
}

/// An upload by the multipart specification: the operation, the places of the files, the files.
struct StoreRequest: GraphQLRequest {
    struct Received: Decodable, Equatable {
        let name: String
        let size: Int
        let sha256: String
    }

    typealias ResponseObjectType = [Received]
    let document = """
        mutation ($note: String!, $files: [Upload!]!) {
            store(note: $note, files: $files) { name size sha256 }
        }
        """
    let body: RequestBody?
    let responseDecoding = ResponseDecoding<[Received]>.json(at: "data/store")

    init(_ note: String, _ files: [URL]) throws {
        let operations: JSONValue = [
            "query": .string(document),
            "variables": [
                "note": .string(note), "files": .array(files.map { _ in .null }),
            ],
        ]
        let places = files.indices.map { ("\($0)", ["variables.files.\($0)"]) }
        let map = Dictionary(uniqueKeysWithValues: places)
        let encoder = JSONEncoder()
        body = .multipart(
            [
                .field(
                    "operations",
                    String(decoding: try encoder.encode(operations), as: UTF8.self)
                ),
                .field("map", String(decoding: try encoder.encode(map), as: UTF8.self)),
            ] + files.enumerated().map { .file("\($0)", $1) }
        )
    }
}

/// Numbers as server-sent events (GraphQL over SSE, distinct connections).
struct CountSubscription: GraphQLRequest {
    struct Message: Decodable {
        struct Content: Decodable {
            let count: Int
        }

        let data: Content?
        let errors: [GraphQLFailure.Problem]?
    }

    typealias ResponseObjectType = Void
    let document = """
        subscription ($to: Int!, $failingAt: Int!) { count(to: $to, failingAt: $failingAt) }
        """
    let variables: JSONValue
    let headers: HTTPHeaders = [.accept: "text/event-stream"]

    init(to end: Int, failingAt failure: Int = 0) {
        variables = ["to": .number(Decimal(end)), "failingAt": .number(Decimal(failure))]
    }
}
