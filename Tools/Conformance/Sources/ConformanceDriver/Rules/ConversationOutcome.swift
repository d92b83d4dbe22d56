import Foundation
import NetKit

/// Describes the outcome of a request.
enum ConversationOutcome {
    /// Sends a request, and describes its response or its error.
    static func output<R: Request>(of request: R, on endpoint: Endpoint) async -> JSONValue {
        let operation = endpoint.execute(request)
        var members: [String: JSONValue]
        do {
            let response = try await operation.response
            members = Self.members(of: response.http)
            members["cache"] = .string("\(response.cacheOutcome)")
        } catch {
            members = error.response.map { Self.members(of: $0) } ?? [:]
            members["error"] = Self.members(of: error, DriverError(error).kind)
        }
        members["history"] = .array(operation.history.map { output(of: $0) })
        return .object(members)
    }

    /// Downloads a file, and describes it beside the response: its bytes, or null without a file.
    static func download(
        of request: DefaultRequest<Data, ServerMessage>,
        to file: URL,
        on endpoint: Endpoint
    ) async -> JSONValue {
        let output = await output(of: request.download(to: file), on: endpoint)
        guard case .object(var members) = output else { return output }
        members["file"] = JSONValue((try? Data(contentsOf: file))?.base64EncodedString())
        return .object(members)
    }

    /// Reads the response of a request line by line, and describes its lines and the error that ended them, if any.
    static func lines(
        of request: some Request<Data, ServerMessage>,
        on endpoint: Endpoint
    ) async -> JSONValue {
        var members: [String: JSONValue] = [:]
        var text = ""
        do {
            let stream = try await endpoint.stream(request)
            members["status"] = .number(Decimal(stream.status.rawValue))
            for try await line in stream.lines { text += line + "\n" }
        } catch let error as StreamFailure {
            let kind =
                switch error {
                case .transport(let failure): "transport.\(DriverError.name(of: failure.kind))"
                default: DriverError.name(of: error)
                }
            members["error"] = Self.members(of: error, kind)
        } catch let error as ErrorResponse<ServerMessage> {
            members["error"] = Self.members(of: error, DriverError(error).kind)
        } catch {
            members["error"] = ["kind": "unknown", "message": .string("\(error)")]
        }
        members["body"] = .string(Data(text.utf8).base64EncodedString())
        return .object(members)
    }

    /// Describes an error: its kind, its message, and what the engine said.
    private static func members(of error: some CallError, _ kind: String) -> JSONValue {
        let cause = error.underlyingError.map {
            "\(($0 as? any CallError)?.underlyingError ?? $0)"
        }
        return [
            "kind": .string(kind), "message": .string(error.message), "cause": JSONValue(cause),
        ]
    }

    private static func members(of response: HTTPResponse) -> [String: JSONValue] {
        [
            "status": .number(Decimal(response.statusCode)),
            "headers": .array(
                response.headers.map { .array([.string($0.name.rawName), .string($0.value)]) }
            ),
            "body": .string(response.body.base64EncodedString()),
            "url": .string(response.url.absoluteString),
            "location": JSONValue(response.location?.absoluteString),
        ]
    }

    /// What followed an attempt: `done`, `["retry", SECONDS]`, `["too long", SECONDS]`, or why there was no other.
    private static func output(of attempt: AttemptTrace) -> JSONValue {
        switch attempt.next {
        case .done: "done"
        case .retry(let delay): .array(["retry", seconds(delay)])
        case .interceptor: "interceptor"
        case .stop(.retryAfterTooLong(let delay)): .array(["too long", seconds(delay)])
        case .stop(let refusal): .string("\(refusal)")
        }
    }

    private static func seconds(_ duration: Duration) -> JSONValue {
        .number(Decimal(duration.components.seconds))
    }
}
