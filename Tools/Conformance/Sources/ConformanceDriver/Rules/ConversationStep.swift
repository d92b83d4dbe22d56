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

    /// How the body of the response is read, if not as bytes.
    enum Reading: String, Decodable {
        /// As one JSON value.
        case json
        /// As a stream of lines.
        case lines
    }

    /// The request, whose URL is relative to the conversation's.
    private let command: SendCommand
    private let cachePolicy: Policy?
    /// The file that the body is downloaded to, resuming what is there.
    private let download: String?
    private let reading: Reading?
    /// Seconds without a request after this one.
    private let pause: Double?

    private enum CodingKeys: CodingKey {
        case cachePolicy, download, reading, pause
    }

    init(from decoder: any Decoder) throws {
        command = try SendCommand(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        cachePolicy = try members.decodeIfPresent(Policy.self, forKey: .cachePolicy)
        download = try members.decodeIfPresent(String.self, forKey: .download)
        reading = try members.decodeIfPresent(Reading.self, forKey: .reading)
        pause = try members.decodeIfPresent(Double.self, forKey: .pause)
    }

    /// Sends the request, and describes what came of it, and after how many seconds.
    func output(on endpoint: Endpoint) async throws -> JSONValue {
        let start = ContinuousClock.now
        var output = try await response(on: endpoint)
        if case .object(var members) = output {
            members["seconds"] = .number(Decimal((ContinuousClock.now - start) / .seconds(1)))
            output = .object(members)
        }
        if let pause { try await Task.sleep(for: .seconds(pause)) }
        return output
    }

    private func response(on endpoint: Endpoint) async throws -> JSONValue {
        let request = try command.request(path: command.path ?? "")
        guard var plain = request as? DefaultRequest<Data, ServerMessage> else {
            return await ConversationOutcome.output(of: request, on: endpoint)
        }
        switch reading {
        case .json:
            let request = DefaultRequest<JSONValue, ServerMessage>(
                path: plain.path,
                method: plain.method,
                body: plain.body,
                headers: plain.headers
            )
            return await ConversationOutcome.output(of: request, on: endpoint)
        case .lines: return await ConversationOutcome.lines(of: plain, on: endpoint)
        case nil: break
        }
        if let cachePolicy { plain.cachePolicy = cachePolicy.policy }
        guard let download else {
            return await ConversationOutcome.output(of: plain, on: endpoint)
        }
        return await ConversationOutcome.download(
            of: plain,
            to: URL(fileURLWithPath: download),
            on: endpoint
        )
    }
}
