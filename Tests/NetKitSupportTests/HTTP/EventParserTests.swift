import Foundation
import Testing

@testable import NetKitSupport

@Suite("Server-sent events")
struct EventParserTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let events: [EventParser.Event]
        var testDescription: String { text.debugDescription }
    }

    private static func event(
        _ data: String,
        _ type: String = "message",
        id: String? = nil,
        retry: Duration? = nil
    ) -> EventParser.Event {
        EventParser.Event(id: id, type: type, data: data, retry: retry)
    }

    private static let cases = [
        Case(text: "data: a\n\n", events: [event("a")]),
        Case(text: "data:a\ndata: b\ndata\n\n", events: [event("a\nb\n")]),
        Case(text: "\u{FEFF}data: a\n\n", events: [event("a")]),
        Case(text: "\u{FEC0}data: a\n\n", events: []),
        Case(text: "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", events: [event("b")]),
        Case(
            text: "data: a\r\rdata: b\r\n\r\ndata: c\n\n",
            events: ["a", "b", "c"].map { event($0) }
        ),
        Case(text: ": comment\ndata:  a\n\n", events: [event(" a")]),
        Case(text: "event: add\ndata: 1\n\ndata: 2\n\n", events: [event("1", "add"), event("2")]),
        // Without data nothing is dispatched, and the type is forgotten.
        Case(text: "event: add\n\ndata: 1\n\n", events: [event("1")]),
        Case(text: "data\n\n", events: [event("")]),
        Case(
            text: "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            events: [event("a", id: "1"), event("b", id: "1"), event("c", id: "")]
        ),
        Case(text: "id: 1\u{0}\ndata: a\n\n", events: [event("a")]),
        Case(
            text: "retry: 250\ndata: a\n\nretry: 2s\ndata: b\n\nretry:\ndata: c\n\n",
            events: [event("a", retry: .milliseconds(250)), event("b"), event("c")]
        ),
        Case(text: "unknown: x\nData: x\ndata : x\ndata: a\n\n", events: [event("a")]),
        // What no empty line ends is dropped.
        Case(text: "data: a\n\ndata: b\n", events: [event("a")]),
        Case(text: "data: ünï 😀:x\n\n", events: [event("ünï 😀:x")]),
    ]

    @Test("parses events by the standard, however the bytes arrive", arguments: cases)
    func parsing(of example: Case) throws {
        for size in [1, 2, 3, 5, 1000] {
            var parser = EventParser(limit: 1 << 20)
            var events: [EventParser.Event] = []
            var rest = Data(example.text.utf8)
            while !rest.isEmpty {
                parser.add(Data(rest.prefix(size)))
                rest = Data(rest.dropFirst(size))
                while let event = try parser.next() { events.append(event) }
            }
            #expect(events == example.events)
        }
    }

    @Test(
        "limits an event's data, in one line or many",
        arguments: [
            ("data: 12345678901234567890\n\n", 20, false), ("data: 12345678901234\n\n", 20, true),
            ("data: 1234567890\ndata: 123456789\n\n", 20, true),
            ("data: 1234567890\ndata: 1234567890\n\n", 20, false),
            ("data: 1234567890\ndata: 12345678\n\n", 20, true), ("data: a\n\n", 0, false),
            ("data: a\n\n", .min, false), ("data: a\n\n", .max, true),
            ("data: 1234567890\n\ndata: 1234567890\n\n", 20, true),
        ]
    )
    func limit(text: String, limit: Int, isRead: Bool) throws {
        for size in [1, 1000] {
            var parser = EventParser(limit: limit)
            var failure: RefusedLine?
            var rest = Data(text.utf8)
            do throws(RefusedLine) {
                while !rest.isEmpty {
                    parser.add(Data(rest.prefix(size)))
                    rest = Data(rest.dropFirst(size))
                    while try parser.next() != nil {}
                }
            } catch {
                failure = error
            }
            if isRead {
                #expect(failure == nil)
            } else {
                #expect(failure == .tooLong(limit: max(0, limit)))
            }
        }
    }
}
