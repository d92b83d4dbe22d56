#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension Endpoint {
    /// Sends `request` on this endpoint and waits for its value, in the calling task.
    ///
    /// Cancelling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The decoded value.
    /// - Throws: The call's one error.
    public func value<R: Request>(
        for request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await response(for: request).value
    }

    /// Sends `request` on this endpoint and waits for its value and the response it came from.
    ///
    /// Cancelling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The decoded value, the whole response, and how it was come by.
    /// - Throws: The call's one error.
    public func response<R: Request>(
        for request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType> {
        let control = CallControl(clock: clock)
        return try await perform(request, control: control).get()
    }

    /// What would be sent for `request`, without sending it.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: Method, URL and headers, and the body where it is in memory; a body that is
    ///   streamed from files is not part of it.
    /// - Throws: ``InvalidRequest`` if nothing could be sent.
    public func urlRequest<R: Request>(for request: R) throws(InvalidRequest) -> URLRequest {
        try RequestEncoder.encode(request, defaults: settings.values.encoding).urlRequest
    }

    /// The request as a shell command that sends the same.
    ///
    /// What is only known when it is sent is left out, as a comment says: what ``authentication`` and ``interceptors``
    /// add, and bodies that are read while they are sent. The ``cookies`` are those of this moment.
    ///
    /// - Parameters:
    ///   - request: The request; it is not sent.
    ///   - redacting: What is not shown. Defaults to secrets.
    /// - Returns: A `curl` command over several lines.
    /// - Throws: ``InvalidRequest`` if nothing could be sent.
    public func cURL<R: Request>(for request: R, redacting: Redaction = .secrets) throws -> String {
        var encoded = try RequestEncoder.encode(request, defaults: settings.values.encoding)
        if let jar = cookies { encoded = encoded.adding(jar, at: clock) }
        let redaction = redacting.adding(encoded.redaction)
        var notes: [String] = []
        if settings.credentials?.covers(encoded) == true {
            notes.append("without the endpoint's authentication, which is added when it is sent")
        }
        if !settings.values.interceptors.isEmpty || !request.interceptors.isEmpty {
            notes.append("without what interceptors change when it is sent")
        }
        return CURLCommand(encoded, redacting: redaction, notes: notes).description
    }
}
