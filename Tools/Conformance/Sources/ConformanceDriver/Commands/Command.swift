import NetKit

/// A line from a suite.
struct Command: Decodable {
    let id: Int
    private let operation: Operation

    private enum Operation {
        case send(SendCommand)
        case events(SendCommand)
        case rule(String, JSONValue)
        case tus(TusCommand)
        case multipart(MultipartCommand)
    }

    private enum CodingKeys: String, CodingKey {
        case id, op, rule, input
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(Int.self, forKey: .id)
        switch try fields.decode(String.self, forKey: .op) {
        case "send": operation = .send(try SendCommand(from: decoder))
        case "events": operation = .events(try SendCommand(from: decoder))
        case "rule":
            operation = .rule(
                try fields.decode(String.self, forKey: .rule),
                try fields.decode(JSONValue.self, forKey: .input)
            )
        case "multipart": operation = .multipart(try MultipartCommand(from: decoder))
        case "tus": operation = .tus(try TusCommand(from: decoder))
        case let name:
            throw DecodingError.dataCorruptedError(
                forKey: .op,
                in: fields,
                debugDescription: "there is no operation \(name)"
            )
        }
    }

    /// Carries out the command.
    func run(with sessions: Sessions) async -> AnswerContent {
        do {
            switch operation {
            case .send(let command): return .response(try await command.response(with: sessions))
            case .events(let command): return .events(try await command.events(with: sessions))
            case .rule(let name, let input):
                guard let rule = rules[name] else {
                    throw DriverError(kind: "command", message: "there is no rule \(name)")
                }
                return .output(try await rule(input))
            case .multipart(let command): return .output(try await command.outcome())
            case .tus(let command): return .output(.string(try await command.url()))
            }
        } catch let error as DriverError {
            return .error(error)
        } catch {
            return .error(DriverError(kind: "driver", message: "\(error)"))
        }
    }
}
