import ArgumentParser
import Foundation
import NIOCore

/// What the suite `stream` reads: one element over and over.
enum StreamContent: String, CaseIterable, ExpressibleByArgument, Sendable {
    case lines
    case jsonLines = "json-lines"
    case events

    /// An element of `jsonLines`.
    struct Record: Decodable, Equatable, Sendable {
        let id: Int
        let name: String

        static let sample = Record(id: 4711, name: "Folding bicycle")
    }

    private static let json = #"{"id":4711,"name":"Folding bicycle"}"#

    /// The text of a line or of an event's data.
    ///
    /// A million lines are less than 16 MiB: NetKit fails a stream over URLSession, which cannot hold its
    /// server back, when the reader is farther behind than that.
    var text: String { self == .lines ? "Folding bicycle" : Self.json }

    /// An element as the server sends it.
    var bytes: Data {
        switch self {
        case .lines, .jsonLines: Data("\(text)\n".utf8)
        case .events: Data("event: update\ndata: \(text)\n\n".utf8)
        }
    }

    var mime: String {
        switch self {
        case .lines: "text/plain; charset=utf-8"
        case .jsonLines: "application/x-ndjson"
        case .events: "text/event-stream"
        }
    }

    /// How many elements are read unless said: each takes about a second.
    var defaultCount: Int {
        switch self {
        case .lines: 1_000_000
        case .jsonLines, .events: 100_000
        }
    }

    /// Elements for the server to repeat: about 256 KiB, and a whole number of them.
    var block: ByteBuffer {
        let element = bytes
        let count = (1 << 18) / element.count
        var block = ByteBuffer()
        for _ in 0..<count { block.writeBytes(element) }
        return block
    }

    /// The path of `count` elements.
    func path(_ count: Int) -> String { "stream/\(rawValue)/\(count)" }
}
