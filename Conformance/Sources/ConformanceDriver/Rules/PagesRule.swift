import Foundation
import NetKit

/// The pages that `Link` fields lead to (RFC 8288).
struct PagesRule: Decodable {
    let setting: ConversationSetting
    let path: String

    private enum CodingKeys: CodingKey {
        case path
    }

    init(from decoder: any Decoder) throws {
        setting = try ConversationSetting(from: decoder)
        path = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .path)
    }

    /// Returns the URLs of the pages, and the error that ends them, if any.
    func output() async throws -> JSONValue {
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
