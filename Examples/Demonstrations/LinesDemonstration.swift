import Foundation
import NetKit
import NetKitTesting

/// Decodes a stream of JSON values, one per line, while it arrives.
struct LinesDemonstration: Demonstration {
    let name = "lines"
    let summary = "decode a stream of JSON lines"
    let needsOwnServer = true

    private struct Measurement: Decodable, Equatable {
        let station: String
        let degrees: Double
    }

    func prepare(_ server: MockServer) {
        let lines = ["Oslo", "Rome", "Lima"].enumerated()
            .map { index, station in
                Data("{\"station\":\"\(station)\",\"degrees\":\(index * 9).5}\n".utf8)
            }
        server.route("GET", "/feed") { _ in
            .chunked(lines, every: .milliseconds(20)).header("Content-Type", "application/x-ndjson")
        }
    }

    func run(_ context: Context) async throws {
        context.asked("try await endpoint.stream(FeedRequest()).jsonLines(of: Measurement.self)")
        var measurements: [Measurement] = []
        let stream = try await context.endpoint.stream(FeedRequest())
        for try await measurement in stream.jsonLines(of: Measurement.self) {
            measurements.append(measurement)
        }
        context.cameBack(
            measurements.map { "\($0.station) \($0.degrees)" }.joined(separator: "\n")
        )
        try context.expect(measurements.map(\.degrees) == [0.5, 9.5, 18.5], "all were decoded")
    }
}
