extension ResponseDecoding {
    /// A decoding that goes on with what this one gives; it asks for the same media type.
    ///
    /// - Parameter transform: Makes the value of it. What it throws is the `underlying` error of
    ///   ``ErrorResponse/decoding(_:underlying:)``.
    /// - Returns: The decoding.
    public func map<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> NewValue
    ) -> ResponseDecoding<NewValue> {
        let decode = decode
        return ResponseDecoding<NewValue>(accept: accept, readsBody: readsBody) {
            try transform(decode($0, $1))
        }
    }

    /// The same decoding with another error.
    ///
    /// - Parameter transform: Makes the error that is reported, of the one that was thrown.
    /// - Returns: The decoding.
    public func mapError(
        _ transform: @escaping @Sendable (any Error) -> any Error
    ) -> Self {
        let decode = decode
        return Self(accept: accept, readsBody: readsBody) { response, decoder in
            do {
                return try decode(response, decoder)
            } catch {
                throw transform(error)
            }
        }
    }
}
