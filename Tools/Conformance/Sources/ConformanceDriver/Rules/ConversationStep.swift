import Foundation
import NetKit

/// A request of a conversation.
struct ConversationStep: Decodable {
    enum Policy: String, Decodable {
        case standard, revalidate, reload
        case onlyIfCached = "only-if-cached"
        case noStore = "no-store"

        var policy: CachePolicy {
            switch self {
            case .standard: .standard
            case .revalidate: .revalidate
            case .reload: .reload
            case .onlyIfCached: .onlyIfCached
            case .noStore: .noStore
            }
        }
    }

    /// The request, whose URL is relative to the conversation's.
    private let command: SendCommand
    private let cachePolicy: Policy?
    /// The file that the body is downloaded to, resuming what is there.
    private let download: String?
    /// Seconds without a request after this one.
    private let pause: Double?

    private enum CodingKeys: CodingKey {
        case cachePolicy, download, pause
    }

    init(from decoder: any Decoder) throws {
        command = try SendCommand(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        cachePolicy = try members.decodeIfPresent(Policy.self, forKey: .cachePolicy)
        download = try members.decodeIfPresent(String.self, forKey: .download)
        pause = try members.decodeIfPresent(Double.self, forKey: .pause)
    }

    /// Sends the request, and describes what came of it.
    func output(on endpoint: Endpoint) async throws -> JSONValue {
        let output = try await response(on: endpoint)
        if let pause { try await Task.sleep(for: .seconds(pause)) }
        return output
    }

    private func response(on endpoint: Endpoint) async throws -> JSONValue {
        let request = try command.request(path: command.path ?? "")
        guard var plain = request as? DefaultRequest<Data, ServerMessage> else {
            return await ConversationOutcome.output(of: request, on: endpoint)
        }
        if let cachePolicy { plain.cachePolicy = cachePolicy.policy }
        guard let download else {
            return await ConversationOutcome.output(of: plain, on: endpoint)
        }
        let file = URL(fileURLWithPath: download)
        return await ConversationOutcome.output(of: plain.download(to: file), on: endpoint)
    }
}
