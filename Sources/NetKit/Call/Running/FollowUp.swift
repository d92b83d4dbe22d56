import Foundation

/// A change to a call's encoded request, for example to follow the URL of an earlier response.
package struct FollowUp: Sendable {
    private let change: @Sendable (EncodedRequest) throws(InvalidRequest) -> EncodedRequest
    /// Whether the body is dropped, so that it needn't be encoded.
    let dropsBody: Bool

    package init(
        dropsBody: Bool = false,
        _ change: @escaping @Sendable (EncodedRequest) throws(InvalidRequest) -> EncodedRequest
    ) {
        self.dropsBody = dropsBody
        self.change = change
    }

    func callAsFunction(_ request: EncodedRequest) throws(InvalidRequest) -> EncodedRequest {
        try change(request)
    }
}

extension Endpoint {
    /// Creates the call of a request or of a follow-up.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - followUp: The change to the request. Defaults to nil for none.
    /// - Returns: The call, which hasn't started.
    package func call<R: Request>(_ request: R, _ followUp: FollowUp? = nil) -> Call<R> {
        var call = Call(request: request, endpoint: self, control: CallControl(clock: clock))
        call.followUp = followUp
        return call
    }
}
