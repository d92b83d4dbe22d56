import Foundation
import NetKit

/// What was seen and is not as it should be.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

/// Fails unless both are the same.
func expect<Value: Equatable>(
    _ seen: Value,
    _ expected: Value,
    _ what: String,
    line: Int = #line
) throws {
    guard seen != expected else { return }
    throw Unexpected(description: "line \(line), \(what): \(seen), expected \(expected)")
}

/// The value that is there, or a failure.
func require<Value>(_ value: Value?, _ what: String, line: Int = #line) throws -> Value {
    guard let value else { throw Unexpected(description: "line \(line), \(what): nothing there") }
    return value
}

extension RequestExecutionOperation {
    /// What the operation's closures hear.
    var heard: Result<T.ResponseObjectType, ErrorResponse<T.ErrorType>> {
        get async {
            await withCheckedContinuation { continuation in
                onSuccess { continuation.resume(returning: .success($0)) }
                    .onFail { continuation.resume(returning: .failure($0)) }
            }
        }
    }
}
