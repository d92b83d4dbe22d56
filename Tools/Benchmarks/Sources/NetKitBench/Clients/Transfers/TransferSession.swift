import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of the raw clients: default but for timeouts, which a busy machine must not reach.
enum TransferSession {
    static func make(delegate: (any URLSessionDelegate)? = nil) -> URLSession {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 600
        configuration.timeoutIntervalForResource = 3600
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Makes sure that a response is a success.
    ///
    /// - Throws: ``WrongAnswer`` if its status is not 200.
    static func check(_ response: URLResponse?) throws {
        let status = (response as? HTTPURLResponse)?.statusCode
        guard status == 200 else { throw WrongAnswer.status(status) }
    }
}
