import NIOCore

/// Frames of HTTP/2 as bytes, for servers that send what no library would (RFC 9113, section 6).
enum HTTP2Bytes {
    /// The server's preface: an empty SETTINGS frame.
    static let settings = frame(4)

    /// The server's preface with its limit of concurrent streams.
    static func settings(maximumStreams: UInt32) -> [UInt8] {
        frame(4, [0, 3] + bytes(maximumStreams))
    }

    static func frame(
        _ type: UInt8,
        flags: UInt8 = 0,
        stream: UInt32 = 0,
        _ payload: [UInt8] = []
    ) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
            + [type, flags] + bytes(stream) + payload
    }

    /// A HEADERS frame whose fields are literals that are not indexed (RFC 7541, section 6.2.2).
    static func headers(
        status: String,
        stream: UInt32,
        ends: Bool,
        fields: [(String, String)] = []
    ) -> [UInt8] {
        let block = fields.reduce([0x08] + string(status)) { block, field in
            block + [0] + string(field.0) + string(field.1)
        }
        return frame(1, flags: ends ? 5 : 4, stream: stream, block)
    }

    static func data(_ text: String, stream: UInt32, ends: Bool) -> [UInt8] {
        frame(0, flags: ends ? 1 : 0, stream: stream, Array(text.utf8))
    }

    /// A whole response, in DATA frames of up to 16 KiB.
    static func response(
        _ body: [UInt8],
        stream: UInt32,
        fields: [(String, String)]
    ) -> [UInt8] {
        let head = headers(status: "200", stream: stream, ends: body.isEmpty, fields: fields)
        return stride(from: 0, to: body.count, by: 16_384)
            .reduce(into: head) { bytes, start in
                let part = body[start..<min(start + 16_384, body.count)]
                let isLast = part.endIndex == body.endIndex
                bytes += frame(0, flags: isLast ? 1 : 0, stream: stream, Array(part))
            }
    }

    static func reset(stream: UInt32, code: UInt32) -> [UInt8] {
        frame(3, stream: stream, bytes(code))
    }

    static func goAway(last stream: UInt32, code: UInt32 = 0) -> [UInt8] {
        frame(7, bytes(stream) + bytes(code))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func string(_ text: String) -> [UInt8] {
        [UInt8(min(126, text.utf8.count))] + text.utf8.prefix(126)
    }
}

/// Finds the frames in what a client sends.
struct HTTP2Frames {
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: UInt32

        var isHeaders: Bool { type == 1 }
        var endsStream: Bool { (type == 0 || type == 1) && flags & 1 == 1 }
    }

    private var buffer = ByteBuffer()
    private var hasPreface = false

    /// The frames that are whole now.
    mutating func receive(_ bytes: ByteBuffer) -> [Frame] {
        buffer.writeImmutableBuffer(bytes)
        if !hasPreface {
            guard buffer.readSlice(length: 24) != nil else { return [] }
            hasPreface = true
        }
        var frames: [Frame] = []
        while let head = buffer.getBytes(at: buffer.readerIndex, length: 9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard buffer.readableBytes >= 9 + length else { break }
            buffer.moveReaderIndex(forwardBy: 9 + length)
            let stream = head[5...8].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            frames.append(Frame(type: head[3], flags: head[4], stream: stream))
        }
        return frames
    }
}
