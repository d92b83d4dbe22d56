/// Takes the head of each response when it arrives: before the body, and before a stream's reader.
protocol HeadReceiver: AnyObject, Sendable {
    /// Takes a head, those of redirects and failed attempts included.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - request: The request as it was sent.
    ///   - call: The call that it belongs to.
    func receive(_ head: ResponseHead, to request: EncodedRequest, in call: CallContext)
}
