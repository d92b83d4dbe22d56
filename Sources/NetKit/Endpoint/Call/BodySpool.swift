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
            // The rest of one that is too long is not waited for.
            if let announced = sequence.length, length > announced { try sequence.check(length) }
        }
        try sequence.check(length)
        return file.source(length: length)
    }
}

extension BodySequence {
    /// The same sequence for one call: it gives its pieces once, and no more or less of them than announced.
    func once() -> BodySequence {
        let isTaken = Locked(false)
        return BodySequence(mime: mime, length: length, isLive: isLive) { take in
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return isTaken
            }
            guard !wasTaken else {
                throw InvalidRequest(.unencodableBody("a live sequence, which is sent once"))
            }
            var count: Int64 = 0
            try await forEach { piece in
                count += Int64(piece.count)
                // The rest of one that is too long is not waited for.
                if let length, count > length { try check(count) }
                try await take(piece)
            }
            try check(count)
        }
    }

    fileprivate func check(_ count: Int64) throws {
        guard let length, length != count else { return }
        let text = "a sequence of \(count) bytes, announced as \(length)"
        throw InvalidRequest(.unencodableBody(text))
    }
}
