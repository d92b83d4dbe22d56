import Foundation

/// The content that belongs to a number, for the server to send and for the client to expect.
///
/// Two numbers never have the same content, so the answer of another call is found.
enum Content {
    /// Bytes of a file or a body.
    static func bytes(_ number: Int, count: Int) -> Data {
        var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(number)))
        let words = (0..<(count + 7) / 8).map { _ in generator.next() }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }

    /// A text of up to 2 KB.
    static func text(_ number: Int) -> String {
        let word = "number \(number) of the soak; "
        return String(repeating: word, count: 1 + abs(number) % 60)
    }

    /// A line of a stream.
    static func line(_ index: Int, of number: Int) -> String {
        "\(number):\(index):" + String(repeating: "x", count: (number &+ index) & 63)
    }

    /// The version of a cached answer at a moment; it changes every two seconds.
    static func version(at date: Date = Date()) -> Int {
        Int(date.timeIntervalSince1970 / 2)
    }
}

/// A value with its number and its text.
struct Numbered: Codable, Hashable, Sendable {
    var number: Int
    var text: String

    init(_ number: Int) {
        self.number = number
        text = Content.text(number)
    }
}

/// A value that the cache may store.
struct Versioned: Codable, Hashable, Sendable {
    var key: Int
    var language: String
    var version: Int
    var text: String
}

/// The server's answer to an upload.
struct Receipt: Codable, Hashable, Sendable {
    var number: Int
    var length: Int
    /// Whether the body is the content of the number.
    var isIntact: Bool
}
