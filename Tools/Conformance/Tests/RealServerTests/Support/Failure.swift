import NetKit
import Testing

/// The error that a call ends with.
///
/// - Throws: An error that fails the test, if the call succeeds.
func failure<R: Request>(
    of request: R,
    on endpoint: Endpoint
) async throws -> ErrorResponse<R.ErrorType> {
    let value: R.ResponseObjectType
    do {
        value = try await endpoint.value(for: request)
    } catch {
        return error
    }
    throw UnexpectedSuccess(value: "\(value)")
}

/// A call succeeded that was to fail.
struct UnexpectedSuccess: Error {
    let value: String
}

extension ErrorResponse {
    /// The kind of the transport's failure, if it is one.
    var transportKind: TransportError.Kind? {
        if case .transport(let error) = self { error.kind } else { nil }
    }
}
