import Foundation

@testable import NetKit
@testable import NetKitSupport

extension FuzzTarget {
    static let streams = [
        FuzzTarget("events", StreamProperties.events),
        FuzzTarget("lines", StreamProperties.lines),
        FuzzTarget("text", hasFirstLine: true, StreamProperties.text),
    ]
}

/// Bodies that are read as they arrive, and text.
private enum StreamProperties {
    /// Events do not depend on how the bytes are cut, and read back as they were written.
    static func events(_ input: FuzzInput) throws {
        let whole = read([input.bytes[...]])
        let pieces = read(input.pieces(of: input.bytes))
        try expect(pieces.events, is: whole.events, "pieces make no other events")
        try expect(pieces.isEnded, is: whole.isEnded, "pieces fail where the whole does")
        let written = whole.events.map { text(of: $0) }.joined()
        let again = read([Array(written.utf8)[...]])
        try expect(again.events, is: whole.events, "what is written reads back")
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>]
    ) -> (events: [EventParser.Event], isEnded: Bool) {
        var parser = EventParser()
        var events: [EventParser.Event] = []
        for piece in pieces {
            parser.add(Data(piece))
            do {
                while let event = try parser.next() { events.append(event) }
            } catch {
                return (events, true)
            }
        }
        return (events, false)
    }

    private static func text(of event: EventParser.Event) -> String {
        var text = event.id.map { "id: \($0)\n" } ?? ""
        text += "event: \(event.type)\n"
        if let retry = event.retry {
            // To the millisecond: more a field doesn't say.
            let (seconds, rest) = retry.components
            text += "retry: \(seconds * 1000 + rest / 1_000_000_000_000_000)\n"
        }
        for line in event.data.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            text += "data: \(Substring(line))\n"
        }
        return text + "\n"
    }

    /// Lines do not depend on how the bytes are cut, and none is longer than its limit.
    static func lines(_ input: FuzzInput) throws {
        for endsAtCarriageReturn in [false, true] {
            let whole = try split([input.bytes[...]], endsAtCarriageReturn)
            let pieces = try split(input.pieces(of: input.bytes), endsAtCarriageReturn)
            try expect(pieces, is: whole, "pieces make no other lines")
        }
    }

    private static func split(
        _ pieces: [ArraySlice<UInt8>],
        _ endsAtCarriageReturn: Bool
    ) throws -> [[UInt8]] {
        var splitter = LineSplitter(limit: 32, endsAtCarriageReturn: endsAtCarriageReturn)
        var lines: [[UInt8]] = []
        do {
            for piece in pieces {
                splitter.add(Data(piece))
                while let line = try splitter.next() { lines.append(Array(line)) }
            }
            if let rest = try splitter.rest() { lines.append(Array(rest)) }
        } catch {
            lines.append(Array("too long".utf8))
        }
        try expect(lines.allSatisfy { $0.count <= 32 }, "a line within its limit")
        return lines
    }

    /// Text is read or refused; what is read strictly is what is shown.
    static func text(_ input: FuzzInput) throws {
        let (type, body) = input.lines
        guard let url = URL(string: "http://host.test/") else { throw Finding("no URL") }
        let head = ResponseHead(status: 200, headers: [.contentType: type])
        let request = EncodedRequest(url: url, method: .get)
        let response = HTTPResponse(to: request, head, body: Data(body))
        let shown = response.text
        if let strict = accepted(try response.strictText()) {
            try expect(strict, is: shown, "what is shown is what was read")
        }
    }
}
