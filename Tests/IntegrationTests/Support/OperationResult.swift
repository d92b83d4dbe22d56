import NetKit

extension RequestExecutionOperation {
    /// The outcome as a value.
    var result: Result<T.ResponseObjectType, ErrorResponse<T.ErrorType>> {
        get async {
            do throws(ErrorResponse<T.ErrorType>) {
                return .success(try await value)
            } catch {
                return .failure(error)
            }
        }
    }

    /// The error of a call that failed, nil of one that succeeded.
    var failure: ErrorResponse<T.ErrorType>? {
        get async {
            if case .failure(let error) = await result { error } else { nil }
        }
    }

    /// Waits until every closure was called: those who await the outcome may have it before.
    func delivered() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                onSuccess { _ in continuation.resume() }.onFail { _ in continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }
}
