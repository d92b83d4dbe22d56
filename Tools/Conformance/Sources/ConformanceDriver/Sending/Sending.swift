import Foundation
import NetKit
import NetKitCache

extension SendCommand {
    /// Sends the request, and receives its response as the command says.
    func response(with sessions: Sessions) async throws -> ResponseAnswer {
        let (base, path) = try address()
        let endpoint = try await sessions.endpoint(base, for: self)
        let target = try await presigned(path, below: base) ?? path
        return try await answer(to: request(path: target), on: endpoint)
    }

    /// Returns the presigned URL of a path, if the command wants one.
    private func presigned(_ path: String, below base: URL) async throws -> String? {
        guard let aws = options?.aws, let lifetime = aws.presigned,
            let url = URL(string: base.absoluteString + path)
        else { return nil }
        return try await aws.signature(home: base)
            .presigned(
                url,
                method: HTTPMethod(rawValue: method ?? "GET"),
                lifetime: .seconds(lifetime)
            )
            .absoluteString
    }

    /// Reads the response as server-sent events, until its end.
    func events(with sessions: Sessions) async throws -> EventsAnswer {
        let (base, path) = try address()
        let endpoint = try await sessions.endpoint(base, for: self)
        return try await events(of: request(path: path), on: endpoint)
    }

    private func answer<R: Request<Data, ServerMessage>>(
        to request: R,
        on endpoint: Endpoint
    ) async throws -> ResponseAnswer {
        do {
            switch receive ?? .data {
            case .data:
                let response = try await endpoint.response(for: request)
                var answer = ResponseAnswer(response.http)
                answer.attempts = response.attempts
                answer.cache = "\(response.cacheOutcome)"
                return answer
            case .stream: return try await streamed(request, on: endpoint)
            case .file: return try await downloaded(request, on: endpoint)
            }
        } catch let error as ErrorResponse<ServerMessage> {
            let failure = DriverError(error)
            guard let response = error.response else { throw failure }
            let isDecoding = if case .decoding = error { true } else { false }
            return ResponseAnswer(response, error: isDecoding ? failure : nil)
        }
    }

    private func streamed<R: Request<Data, ServerMessage>>(
        _ request: R,
        on endpoint: Endpoint
    ) async throws(ErrorResponse<ServerMessage>) -> ResponseAnswer {
        let stream = try await endpoint.stream(request)
        var body = Data()
        var end: DriverError?
        do {
            for try await chunk in stream { body += chunk }
        } catch let failure as StreamFailure {
            end = DriverError(failure)
        } catch {
            end = DriverError(kind: "stream", message: "\(error)")
        }
        return ResponseAnswer(
            status: stream.status.rawValue,
            headers: stream.headers,
            body: body,
            error: end
        )
    }

    private func downloaded<R: Request<Data, ServerMessage>>(
        _ request: R,
        on endpoint: Endpoint
    ) async throws -> ResponseAnswer {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("Conformance-\(UUID().uuidString)")
        defer {
            // A failed call leaves no file.
            try? FileManager.default.removeItem(at: file)
        }
        let response = try await endpoint.response(for: request.download(to: file, resuming: false))
        return ResponseAnswer(
            status: response.http.statusCode,
            headers: response.http.headers,
            body: try Data(contentsOf: file)
        )
    }

    private func events<R: Request<Data, ServerMessage>>(
        of request: R,
        on endpoint: Endpoint
    ) async throws -> EventsAnswer {
        var answer = EventsAnswer()
        do {
            let stream = try await endpoint.stream(request)
            for try await event in stream.serverSentEvents {
                let retry = event.retry.map {
                    $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000
                }
                answer.events.append(
                    EventsAnswer.Event(
                        id: event.id,
                        event: event.event,
                        data: event.data,
                        retry: retry
                    )
                )
            }
        } catch let error as ErrorResponse<ServerMessage> {
            answer.end = DriverError(error)
        } catch let error as StreamFailure {
            answer.end = DriverError(error)
        }
        return answer
    }
}
