/// Waits until something is so, or the test is cancelled, as by its time limit.
///
/// - Returns: Whether it is so.
@discardableResult
func eventually(_ condition: () -> Bool) async -> Bool {
    while !condition(), !Task.isCancelled { await Task.yield() }
    return condition()
}
