import Foundation

@testable import NetKit
@testable import NetKitSupport

extension FuzzTarget {
    static let commands = [FuzzTarget("shell", CommandProperties.words)]
}

/// Commands for curl.
private enum CommandProperties {
    /// A shell takes a quoted word for the text that it quotes, and `printf` makes the text of a format.
    static func words(_ input: FuzzInput) throws {
        let text = input.text
        let word = try unquoted(ShellWord.quoted(text))
        try expect(word, is: Array(text.utf8), "a shell reads the word")
        let line = ShellWord.format(text)
        try expect(!line.utf8.contains(0x0A), "a format is one line")
        try expect(printed(try unquoted(line)), is: Array(text.utf8), "printf prints the text")
    }

    /// A word as a POSIX shell reads it: quotes and backslashes alone, as nothing else is ever written.
    private static func unquoted(_ word: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var isQuoted = false
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "'"): isQuoted.toggle()
            case _ where isQuoted: bytes.append(byte)
            case UInt8(ascii: "\\"): bytes.append(rest.popFirst() ?? 0)
            default: throw Finding("a character outside of quotes: \(byte)")
            }
        }
        try expect(!isQuoted, "quotes are closed")
        return bytes
    }

    /// What `printf` makes of a format with the escapes that are written.
    private static func printed(_ format: [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = format[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                try expect(rest.popFirst() == UInt8(ascii: "%"), "a percent sign is two")
                bytes.append(byte)
            case UInt8(ascii: "\\"):
                switch rest.popFirst() {
                case UInt8(ascii: "\\"): bytes.append(byte)
                case UInt8(ascii: "n"): bytes.append(0x0A)
                case UInt8(ascii: "r"): bytes.append(0x0D)
                case UInt8(ascii: "0"):
                    try expect(rest.prefix(2).elementsEqual("55".utf8), "an octal escape")
                    rest = rest.dropFirst(2)
                    bytes.append(UInt8(ascii: "-"))
                default: throw Finding("an escape of printf that nobody wrote")
                }
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
