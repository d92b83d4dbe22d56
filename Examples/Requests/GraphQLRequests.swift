import Foundation
import NetKit

/// The errors that a GraphQL server answers with, mostly with status 200.
struct GraphQLFailure: ServerError, Codable {
    struct Problem: Codable {
        let message: String
        let extensions: [String: JSONValue]?
    }

    let errors: [Problem]

    var message: String { errors.map(\.message).joined(separator: " ") }
    /// The code of the first error.
    var code: String? { errors.first?.extensions?["code"]?.stringValue }
}

/// What all operations of a GraphQL server have in common.
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
            let failure = try? response.decoded(to: GraphQLFailure.self), !failure.errors.isEmpty
        else { return response.status }
        return failure.code == "UNAUTHENTICATED" ? .unauthorized : .unprocessableContent
    }
}

/// The total of an order.
struct OrderTotalRequest: GraphQLRequest {
    typealias ResponseObjectType = Double

    let document = "query ($id: Int!) { order(id: $id) { total } }"
    let variables: JSONValue
    let responseDecoding = ResponseDecoding<Double>.json(at: "data/order/total")

    init(_ id: Int) {
        variables = ["id": .number(Decimal(id))]
    }
}
