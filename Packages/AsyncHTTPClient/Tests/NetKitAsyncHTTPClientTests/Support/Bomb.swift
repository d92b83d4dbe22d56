import CZlib

/// A body that is far smaller than its content.
enum Bomb {
    /// The best that zlib does, about a thousandth.
    static let ratio = 1_000

    /// A gzip file of so many zeros.
    static func gzip(_ count: Int) -> [UInt8] {
        // zlib keeps the address of its stream.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            deflateEnd(stream)
            stream.deallocate()
        }
        let size = Int32(MemoryLayout<z_stream>.size)
        // The largest window, and 16 for gzip's format.
        deflateInit2_(stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        var zeros = [UInt8](repeating: 0, count: count)
        return [UInt8](unsafeUninitializedCapacity: 1_024 + count / ratio) { output, written in
            zeros.withUnsafeMutableBufferPointer { zeros in
                stream.pointee.next_in = zeros.baseAddress
                stream.pointee.avail_in = UInt32(zeros.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                deflate(stream, Z_FINISH)
            }
            written = output.count - Int(stream.pointee.avail_out)
        }
    }
}
