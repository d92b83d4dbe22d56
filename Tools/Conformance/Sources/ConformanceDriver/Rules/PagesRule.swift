import Foundation
import NetKit
import NetKitPaging

extension ConversationTarget {
    /// Returns the URLs of the pages that `Link` fields lead to (RFC 8288), and the error that ends them, if any.
    func pages() async throws -> JSONValue {
        let endpoint = try setting.endpoint()
        let request = DefaultRequest<Data, ServerMessage>(path: path, responseDecoding: .data)
        var urls: [JSONValue] = []
        var failure: String?
        do {
            for try await page in endpoint.pages(of: request, maximumPages: 10) {
                urls.append(.string(page.http.url.absoluteString))
            }
        } catch {
            failure = "\(error)"
        }
        await endpoint.shutdown()
        return ["pages": .array(urls), "error": JSONValue(failure)]
    }
}
