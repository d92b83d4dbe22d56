import Foundation
import NetKitTesting

// Values, uploads and downloads.
extension FaultyServer {
    func addValues() {
        route("/value/*") { request in
            let answer = try MockResponse.json(Numbered(request.number))
            return answer
        }
        // The first request of an operation is refused for a second.
        route("/busy/*") { [self] request in
            guard visit(request, for: "busy") > 1 else {
                return .status(request.number.isMultiple(of: 2) ? 429 : 503)
                    .header("Retry-After", "1")
            }
            return try .json(Numbered(request.number))
        }
        route("/silent/*") { _ in .fault(.stall) }
        route("/job/*") { [self] request in
            guard visit(request, for: "job") > 2 else { return .status(202) }
            return try .json(Numbered(request.number))
        }
        route("/pages/*") { request in
            let (page, count) = (max(1, request.query("page")), request.query("count"))
            let items = (0..<3).map { Numbered(request.number + 3 * (page - 1) + $0) }
            let answer = try MockResponse.json(items)
            guard page < count else { return answer }
            return answer.header("Link", "<?count=\(count)&page=\(page + 1)>; rel=\"next\"")
        }
    }

    func addBodies() {
        route("/upload/*") { request in
            let body = request.multipart.first?.body ?? request.body
            return try .json(
                Receipt(
                    number: request.number,
                    length: body.count,
                    isIntact: body == Content.bytes(request.number, count: body.count)
                )
            )
        }
        route("/file/*") { request in
            let content = Content.bytes(request.number, count: request.query("count"))
            return .resource(content, for: request, eTag: "\"\(request.number)\"")
        }
    }
}
