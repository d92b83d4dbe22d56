import Foundation

@testable import NetKit
@testable import NetKitTesting

/// What the servers for tests read.
enum ServerProperties {
    /// Requests do not depend on how the bytes are cut, and all of their views can be asked for.
    static func requests(_ input: FuzzInput) throws {
        let whole = events([input.bytes[...]])
        let pieces = events(input.pieces(of: input.bytes))
        try expect(pieces.events, is: whole.events, "pieces make no other requests")
        try expect(pieces.failure != nil, is: whole.failure != nil, "pieces fail as the whole does")
        var head: RequestHead?
        for event in whole.events {
            switch event {
            case .head(let next): head = next
            case .complete(let body, let length, let trailers):
                guard let head else { throw Finding("a body without a head") }
                try expect(body.count, is: length, "a body is kept")
                let request = RecordedRequest(
                    head: head,
                    body: body,
                    bodyLength: length,
                    trailers: trailers,
                    origin: .init(connectionID: 1, index: 0, headReceivedAt: .now),
                    receivedAt: .now
                )
                _ = (request.query, request.pathSegments, request.multipart, request.form)
                _ = (request.header("range"), request.text, request.description)
                _ = (head.keepsAlive, head.expectsContinue)
            }
        }
    }

    private static func events(
        _ pieces: [ArraySlice<UInt8>]
    ) -> (events: [RequestParser.Event], failure: MalformedRequest?) {
        var parser = RequestParser()
        var events: [RequestParser.Event] = []
        for piece in pieces {
            piece.withUnsafeBytes { parser.append($0) }
            do {
                while let event = try parser.next() { events.append(event) }
            } catch {
                return (events, error)
            }
        }
        return (events, nil)
    }

    /// A range of a resource lies within it.
    static func range(_ input: FuzzInput) throws {
        for length in [0, 1, 10, Int.max] {
            let range = RequestedRange(input.text, if: nil, isOneOf: [], of: length)
            guard case .part(let part) = range else { continue }
            try expect(part.lowerBound >= 0 && part.upperBound <= length, "a part of the whole")
        }
    }

    /// A route's pattern can be asked about any URL; without placeholders it matches itself.
    static func stub(_ input: FuzzInput) throws {
        let (text, rest) = input.lines
        let pattern = StubPattern(.get, text)
        guard let url = URL(string: "http://host.test/" + String(decoding: rest, as: UTF8.self))
        else { return }
        if pattern.match(.get, url) != nil {
            try expect(pattern.match(.post, url) == nil, "a pattern's method counts")
        }
        _ = StubAddress(url).segments
        // Edit distances take the product of both lengths; they are worked out for one report.
        if rest.count < 1000, text.utf8.count < 1000 { _ = pattern.distance(to: .get, url) }
    }
}
