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
        let result = Locked<Result<BodySource, CallFailure>?>(nil)
        let wait = Wait()
        let task = Task.detached {
            let source = await write(sequence)
            result.withLock { $0 = source }
            wait.finish()
        }
        await wait.run(control)
        if let stopped = control.stopped {
            task.cancel()
            return .failure(CallFailure(stopped))
        }
        return result.withLock { $0 } ?? .failure(.cancelled)
    }

    private static func write(_ sequence: BodySequence) async -> Result<BodySource, CallFailure> {
        do {
            let file = try SpoolFile()
            var length: Int64 = 0
            try await sequence.forEach { piece in
                try Task.checkCancellation()
                try file.append(piece)
                length += Int64(piece.count)
            }
            if let announced = sequence.length, announced != length {
                let text = "a sequence of \(length) bytes, announced as \(announced)"
                return .failure(.invalidRequest(InvalidRequest(.unencodableBody(text))))
            }
            return .success(file.source(length: length))
        } catch let error as SpoolFailure {
            return .failure(.transport(TransportError(.other, underlying: error)))
        } catch {
            return .failure(.interceptor(error))
        }
    }
}
