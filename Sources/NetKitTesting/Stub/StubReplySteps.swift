import Foundation
import NetKit

extension StubReply {
    /// Returns the steps of the reply, from the delay to the end.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - encoder: The encoder for values.
    /// - Returns: The steps; without an end for silence.
    /// - Throws: The error of encoding the body.
    func steps(to method: HTTPMethod, encoder: JSONEncoder) throws -> [EventPlayer.Step] {
        let delay = EventPlayer.Step.pause(delay)
        switch content {
        case .silence: return [delay]
        case .failure(let error): return [delay, .event(.finished(.failed(error)))]
        case .whole(let make):
            let body = try make(encoder)
            let pace = pace ?? Pace(bytes: 1 << 16, interval: .zero)
            return [delay]
                + steps(to: method, Self.pieces(of: body, pace.bytes), pace.interval, body.count)
        case .pieces(let pieces, let interval):
            guard let pace else { return [delay] + steps(to: method, pieces, interval, nil) }
            let smaller = pieces.flatMap { Self.pieces(of: $0, pace.bytes) }
            return [delay] + steps(to: method, smaller, pace.interval, nil)
        }
    }

    private func steps(
        to method: HTTPMethod,
        _ pieces: [Data],
        _ interval: Duration,
        _ length: Int?
    ) -> [EventPlayer.Step] {
        let hasContent = status != 204 && status != 304
        var fields = fields.headers
        if let contentType, fields[.contentType] == nil, hasContent {
            fields[.contentType] = contentType
        }
        if let length, fields[.contentLength] == nil, hasContent {
            fields[.contentLength] = "\(length)"
        }
        let head = ResponseHead(status: status, headers: fields)
        var steps = [EventPlayer.Step.event(.head(head))]
        guard hasContent, method != .head else { return steps + [.event(.finished(nil))] }
        var rest = breakOff?.bytes ?? .max
        for (index, piece) in pieces.enumerated() where rest > 0 && !piece.isEmpty {
            if index > 0 { steps.append(.pause(interval)) }
            steps.append(.event(.body(piece.prefix(rest))))
            rest -= min(rest, piece.count)
        }
        let count = pieces.reduce(0) { $0 + $1.count }
        // A client that has all of an announced length doesn't see the connection break off.
        let isWhole = count <= breakOff?.bytes ?? .max && fields[.contentLength] == "\(count)"
        let failure = isWhole ? nil : breakOff?.error
        return steps + [.event(.finished(failure.map { .failed($0) }))]
    }

    private static func pieces(of body: Data, _ size: Int) -> [Data] {
        stride(from: 0, to: body.count, by: size)
            .map { start in
                Data(body.dropFirst(start).prefix(size))
            }
    }
}
