import Foundation

@testable import NetKit
@testable import NetKitTesting

extension FuzzTarget {
    static let multipart = [
        FuzzTarget("disposition", MultipartProperties.disposition),
        FuzzTarget("multipart", hasFirstLine: true, MultipartProperties.body),
        FuzzTarget("multipart-form", hasFirstLine: true, MultipartProperties.form),
    ]
}

/// Multipart bodies and the names in them.
private enum MultipartProperties {
    private static let boundary = "boundary-of-the-form"

    /// A parameter's value stands in the field that it is read from.
    static func disposition(_ input: FuzzInput) throws {
        for name in ["name", "filename", "boundary"] {
            guard let value = MultipartPart.parameter(name, of: input.text) else { continue }
            try expect(input.text.utf8.contains(text: value) || value.isEmpty, "a value was read")
        }
    }

    /// The parts of a body do not overlap, and read back from a body made of them.
    static func body(_ input: FuzzInput) throws {
        let (boundary, rest) = input.lines
        let parts = MultipartPart.parts(of: Data(rest), boundary: boundary)
        let length = parts.reduce(0) { $0 + $1.body.count }
        try expect(length <= rest.count, "parts do not overlap")
        guard !parts.isEmpty else { return }
        var body = Data()
        for part in parts {
            body += Data("--\(boundary)\r\n".utf8)
            for header in part.headers { body += Data("\(header.name): \(header.value)\r\n".utf8) }
            body += Data("\r\n".utf8) + part.body + Data("\r\n".utf8)
        }
        body += Data("--\(boundary)--\r\n".utf8)
        let again = MultipartPart.parts(of: body, boundary: boundary)
        try expect(again.map(\.body), is: parts.map(\.body), "what is written reads back")
        try expect(again.map(\.fileName), is: parts.map(\.fileName), "file names read back")
    }

    /// A form of any names and values reads back as a browser's would.
    static func form(_ input: FuzzInput) throws {
        let (name, rest) = input.lines
        let value = String(decoding: rest, as: UTF8.self)
        guard !input.bytes.contains(text: boundary) else { return }
        let file = DefaultMultipartFile(
            resource: Data(rest),
            mime: "text/plain",
            name: "file",
            fileName: name
        )
        guard
            let encoded = accepted(
                try MultipartEncoder.encode(
                    [.field(name, value), FormItem(.file(file))],
                    boundary: boundary
                )
            )
        else {
            return try expect(name.utf8.contains(0), "nothing but a NUL is refused in a name")
        }
        let reader = try encoded.source.open()
        defer { reader.close() }
        var body = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
            guard count > 0 else { break }
            body += buffer[..<count]
        }
        try expect(Int64(body.count), is: encoded.source.length, "the length is known")
        let parts = MultipartPart.parts(of: body, boundary: boundary)
        try expect(parts.map(\.body), is: [Data(value.utf8), Data(rest)], "contents read back")
        let read = String(decoding: name.utf8.flatMap { escaped($0) }, as: UTF8.self)
        try expect(parts.map(\.name), is: [read, "file"], "names read back")
        try expect(parts.last?.fileName, is: read, "a file name reads back")
    }

    /// A byte of a name as browsers write it.
    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "\""): Array("%22".utf8)
        case 0x0D: Array("%0D".utf8)
        case 0x0A: Array("%0A".utf8)
        default: [byte]
        }
    }
}
