import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// What an endpoint takes over from a session configuration, as NetKit's own.

extension HTTPHeaders {
    /// The additional headers of a session, sorted by name; values that are not text as their text.
    init(additional headers: [AnyHashable: Any]?) {
        let fields = (headers ?? [:]).map { name, value in ("\(name.base)", "\(value)") }
        self.init(fields.sorted { $0.0 < $1.0 }.map { (HTTPHeaderName($0.0), $0.1) })
    }
}

extension Timeouts {
    /// The session's timeouts; its resource timeout only where it is not the default of seven days.
    init(_ configuration: URLSessionConfiguration) {
        let total = configuration.timeoutIntervalForResource
        self.init(
            idle: Duration(timeout: configuration.timeoutIntervalForRequest),
            total: total == 604_800 ? nil : Duration(timeout: total)
        )
    }
}

extension Duration {
    /// A timeout in seconds: at least a millisecond, and for ever where it is not a finite number.
    init(timeout seconds: TimeInterval) {
        guard seconds.isFinite, seconds < 9_000_000_000 else {
            self = .seconds(9_000_000_000)
            return
        }
        self = .seconds(max(0.001, seconds))
    }
}
