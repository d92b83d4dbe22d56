import NetKit

/// The server's side of a connection of HTTP/2 without TLS, one frame after another (RFC 9113).
///
/// One thread uses it. It keeps to the client's windows.
final class HTTP2Peer {
    /// A frame of the client.
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: Int
        let payload: [UInt8]

        var isHeaders: Bool { type == 1 }
        var isData: Bool { type == 0 }
        var isReset: Bool { type == 3 }
        var endsStream: Bool { type <= 1 && flags & 1 == 1 }
    }

    private let peer: Peer
    private var initialWindow = 65_535
    private var connectionWindow = 65_535
    private var streamWindows: [Int: Int] = [:]
    private(set) var resets: Set<Int> = []
    private var collected: [UInt8]?
    /// The requests that began while another one was served.
    private var waiting: [Frame] = []
    /// The streams that the client ended.
    private var ended: Set<Int> = []

    /// Reads the client's preface and sends the server's; nil if the client is gone.
    ///
    /// - Parameters:
    ///   - peer: The connection.
    ///   - settings: The identifiers and values of the server's SETTINGS frame.
    init?(_ peer: Peer, settings: [(UInt16, UInt32)] = []) {
        self.peer = peer
        guard peer.readBytes(24).count == 24 else { return nil }
        let payload = settings.flatMap { Self.bytes(UInt32($0.0)).suffix(2) + Self.bytes($0.1) }
        send(4, payload: payload)
    }

    // MARK: Reading

    /// The next frame, with the duties of every server done; nil at the end.
    func next() -> Frame? {
        let head = peer.readBytes(9)
        guard head.count == 9 else { return nil }
        let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let payload = peer.readBytes(count)
        guard payload.count == count else { return nil }
        let stream = Int(Self.number(head[5...8]) & 0x7FFF_FFFF)
        let frame = Frame(type: head[3], flags: head[4], stream: stream, payload: payload)
        if frame.endsStream { ended.insert(stream) }
        switch frame.type {
        case 3: resets.insert(stream)
        case 4 where frame.flags & 1 == 0:
            for start in stride(from: 0, to: payload.count - 5, by: 6)
            where payload[start + 1] == 4 {
                let window = Int(Self.number(payload[start + 2..<start + 6]))
                for stream in streamWindows.keys {
                    streamWindows[stream]? += window - initialWindow
                }
                initialWindow = window
            }
            send(4, flags: 1)
        case 6 where frame.flags & 1 == 0: send(6, flags: 1, payload: payload)
        case 8:
            let more = Int(Self.number(payload[...]) & 0x7FFF_FFFF)
            if stream == 0 { connectionWindow += more } else { window(of: stream, adds: more) }
        default: break
        }
        return frame
    }

    /// Reads until a request begins, and returns its head; nil at the end.
    func nextRequest() -> Frame? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        while let frame = next() { if frame.isHeaders { return frame } }
        return nil
    }

    /// Reads the rest of a request's body, makes room for more of it, and tells whether it ended in order.
    func readBody(of stream: Int) -> Bool {
        while !ended.contains(stream) {
            guard !resets.contains(stream), let frame = next(besides: stream) else { return false }
            guard frame.isData, !frame.payload.isEmpty else { continue }
            let count = UInt32(frame.payload.count)
            send(8, payload: Self.bytes(count))
            if !frame.endsStream { send(8, stream: frame.stream, payload: Self.bytes(count)) }
        }
        return true
    }

    /// The next frame while a request is served: others wait, although the client was told to send one at a time.
    private func next(besides stream: Int) -> Frame? {
        guard let frame = next() else { return nil }
        if frame.isHeaders, frame.stream != stream { waiting.append(frame) }
        return frame
    }

    func readToEnd() { while next() != nil {} }

    // MARK: Writing

    /// Sends all frames of a closure in one write.
    func collect(_ frames: () -> Void) {
        collected = []
        frames()
        if let bytes = collected { peer.write(bytes) }
        collected = nil
    }

    @discardableResult
    func send(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, payload: [UInt8] = []) -> Bool {
        var frame = Array(Self.bytes(UInt32(payload.count)).dropFirst())
        frame += [type, flags] + Self.bytes(UInt32(stream))
        guard collected == nil else {
            collected? += frame + payload
            return true
        }
        return peer.write(frame + payload)
    }

    /// Sends a head of literal fields that are not indexed (RFC 7541, section 6.2.2).
    @discardableResult
    func respond(
        _ status: Int,
        on stream: Int,
        ends: Bool = false,
        fields: [(String, String)] = []
    ) -> Bool {
        let block = fields.reduce([0x08] + Self.text("\(status)")) { block, field in
            block + [0] + Self.text(field.0) + Self.text(field.1)
        }
        return send(1, flags: ends ? 5 : 4, stream: stream, payload: block)
    }

    /// Sends bytes of a body as the client's windows allow, and tells whether all were sent.
    @discardableResult
    func sendData(_ bytes: [UInt8], on stream: Int, ends: Bool) -> Bool {
        var rest = bytes[...]
        repeat {
            var room = min(connectionWindow, streamWindows[stream] ?? initialWindow, 16_384)
            while room <= 0, !rest.isEmpty {
                guard next(besides: stream) != nil, !resets.contains(stream) else { return false }
                room = min(connectionWindow, streamWindows[stream] ?? initialWindow, 16_384)
            }
            let piece = Array(rest.prefix(room))
            rest = rest.dropFirst(piece.count)
            connectionWindow -= piece.count
            window(of: stream, adds: -piece.count)
            let flags: UInt8 = ends && rest.isEmpty ? 1 : 0
            guard send(0, flags: flags, stream: stream, payload: piece) else { return false }
        } while !rest.isEmpty
        return true
    }

    func reset(_ stream: Int, code: UInt32) {
        send(3, stream: stream, payload: Self.bytes(code))
    }

    func goAway(last stream: Int, code: UInt32 = 0) {
        send(7, payload: Self.bytes(UInt32(stream)) + Self.bytes(code))
    }

    private func window(of stream: Int, adds count: Int) {
        streamWindows[stream, default: initialWindow] += count
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func text(_ text: String) -> [UInt8] {
        [UInt8(min(126, text.utf8.count))] + text.utf8.prefix(126)
    }
}
