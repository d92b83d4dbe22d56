import NIOCore

/// A body that is one block over and over, so that a gigabyte takes no memory to send.
struct OutgoingBody: Sendable {
    private let block: ByteBuffer
    private var left: Int

    /// A body of one block.
    init(_ block: ByteBuffer) {
        self.init(repeating: block, length: block.readableBytes)
    }

    /// Makes a body of `length` bytes; `block` is empty only if they are none.
    init(repeating block: ByteBuffer, length: Int) {
        precondition(block.readableBytes > 0 || length == 0, "a block has bytes to repeat")
        self.block = block
        left = length
    }

    /// How many bytes are still to come.
    var length: Int { left }

    /// The next bytes, at most a block; nil at the end.
    mutating func next() -> ByteBuffer? {
        guard left > 0 else { return nil }
        let count = min(left, block.readableBytes)
        left -= count
        return block.getSlice(at: block.readerIndex, length: count)
    }
}
