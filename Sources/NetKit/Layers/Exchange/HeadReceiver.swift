/// Receives each response's head when it arrives, before its body and a stream's reader.
package protocol HeadReceiver: AnyObject, Sendable {
    /// Receives a head, including those of redirects and failed attempts.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - request: The request as sent.
    ///   - call: The call that the request belongs to.
    func receive(_ head: ResponseHead, to request: EncodedRequest, in call: CallContext)
}
