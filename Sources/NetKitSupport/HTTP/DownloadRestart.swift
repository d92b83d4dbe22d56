/// A reason why a download starts over instead of resuming its partial file.
package enum DownloadRestart: Hashable, Sendable {
    /// The version of the partial file is unknown.
    ///
    /// The server sent no strong `ETag` or date, or compressed the body.
    case unknownVersion
    /// The server ignored `Range` and sent the whole body.
    case rangeIgnored
    /// The server has another version than the partial file.
    case versionChanged
    /// The server sent a range other than the requested one, or a compressed one.
    case rangeMismatch
    /// The server sent a range without the file's length, so that one that ends early would seem to be the whole rest.
    case unknownLength
    /// The server has no such range (416).
    ///
    /// Its copy is no longer than the partial file.
    case rangeNotSatisfiable
    /// The partial file was removed or changed while the request was in flight.
    case partChanged
}

extension DownloadRestart: CustomStringConvertible {
    /// A one-line lowercase description.
    package var description: String {
        switch self {
        case .unknownVersion: "the version of the partial file is unknown"
        case .rangeIgnored: "the server ignored Range"
        case .versionChanged: "the server has another version"
        case .rangeMismatch: "the server sent another range"
        case .unknownLength: "the server sent a range without the file's length"
        case .rangeNotSatisfiable: "the server has no such range"
        case .partChanged: "the partial file was removed or changed"
        }
    }
}
