import Foundation
import NetKit

/// Several requests to one endpoint, which keeps its cookies, its cache and its credentials from one to the next.
struct Conversation: Decodable {
    private let setting: ConversationSetting
    private let requests: [ConversationStep]
    /// The number of requests at a time.
    private let atATime: Int?

    private enum CodingKeys: CodingKey {
        case requests, atATime
    }

    init(from decoder: any Decoder) throws {
        setting = try ConversationSetting(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        requests = try members.decode([ConversationStep].self, forKey: .requests)
        atATime = try members.decodeIfPresent(Int.self, forKey: .atATime)
    }

    /// Returns what came of each request.
    func output() async throws -> JSONValue {
        let endpoint = try setting.endpoint()
        let width = max(1, atATime ?? 1)
        endpoint.maximumConcurrentRequestsPerHost = max(width, 6)
        var outcomes = [JSONValue](repeating: .null, count: requests.count)
        try await withThrowingTaskGroup(of: (Int, JSONValue).self) { group in
            for (index, request) in requests.enumerated() {
                if index >= width, let (done, outcome) = try await group.next() {
                    outcomes[done] = outcome
                }
                group.addTask { (index, try await request.output(on: endpoint)) }
            }
            for try await (index, outcome) in group { outcomes[index] = outcome }
        }
        await endpoint.shutdown()
        return .array(outcomes)
    }
}
