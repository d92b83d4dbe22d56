import NetKit

/// Takes a refused call in hand: fetches a new token, and has the call sent again.
final class TokenRetrier: RequestRetrier {
    private let token: String?

    init(_ token: String?) {
        self.token = token
    }

    func canHandleError<R: Request>(
        _ error: ErrorResponse<R.ErrorType>,
        for request: R
    ) -> Bool {
        error.statusCode == 401
    }

    func handleError<R: Request>(
        _ error: ErrorResponse<R.ErrorType>,
        for request: R,
        on endpoint: Endpoint
    ) async -> R? {
        guard let token else { return nil }
        endpoint.headers.authToken = .bearer(token)
        return request
    }
}
