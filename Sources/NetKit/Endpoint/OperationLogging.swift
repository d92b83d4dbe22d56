extension RequestExecutionOperation {
    /// Writes down each attempt of this call: status, address and time, and the response's body.
    ///
    /// Secrets are left out, as ``Endpoint/redaction`` says.
    ///
    /// - Parameters:
    ///   - isOn: Whether it does. Defaults to true.
    ///   - logger: Takes a line an attempt, at level debug. Defaults to one that writes to standard error.
    /// - Returns: The operation.
    @discardableResult
    public func debugResponse(
        _ isOn: Bool = true,
        to logger: any NetworkLogger = ConsoleLogger(level: .debug)
    ) -> Self {
        guard isOn else { return self }
        return onDebug { info in
            let body = info.responseText.map { "\n" + LogText.plain($0, keepingLines: true) }
            logger.log(.debug, "\(LogText.plain("\(info)"))\(body ?? "")")
        }
    }
}
