import Foundation
import NetKit

/// A failed check.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

/// Throws unless both values are equal.
func expect<Value: Equatable>(
    _ seen: Value,
    _ expected: Value,
    _ what: String,
    line: Int = #line
) throws {
    guard seen != expected else { return }
    throw Unexpected(description: "line \(line), \(what): \(seen), expected \(expected)")
}

/// Returns the value, or throws when it is nil.
func require<Value>(_ value: Value?, _ what: String, line: Int = #line) throws -> Value {
    guard let value else { throw Unexpected(description: "line \(line), \(what): missing") }
    return value
}

extension RequestExecutionOperation {
    /// The result passed to the operation's closures.
    var heard: Result<T.ResponseObjectType, ErrorResponse<T.ErrorType>> {
        get async {
            await withCheckedContinuation { continuation in
                onSuccess { continuation.resume(returning: .success($0)) }
                    .onFail { continuation.resume(returning: .failure($0)) }
            }
        }
    }
}
