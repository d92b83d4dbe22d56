/// Writes a body that is a sequence to a file, so that its length is known and it can be sent again.
enum BodySpool {
    /// Spools a body.
    ///
    /// - Parameters:
    ///   - sequence: The body.
    ///   - control: Ends the waiting for the next piece, even for one that does not heed cancellation.
    /// - Returns: The same body as a file, or why there is none.
    static func spool(
        _ sequence: BodySequence,
        control: CallControl
    ) async -> Result<BodySource, CallFailure> {
        await UserCode.run(control) { try await write(sequence) }
    }

    private static func write(_ sequence: BodySequence) async throws -> BodySource {
        let file = try SpoolFile()
        var length: Int64 = 0
        try await sequence.forEach { piece in
            try Task.checkCancellation()
            try file.append(piece)
            length += Int64(piece.count)
        }
        if let announced = sequence.length, announced != length {
            let text = "a sequence of \(length) bytes, announced as \(announced)"
            throw InvalidRequest(.unencodableBody(text))
        }
        return file.source(length: length)
    }
}
