/// Why a download starts over instead of resuming its part.
public enum DownloadRestart: Hashable, Sendable {
    /// Nothing says which version the part is of: the server gave no strong `ETag` or date, or compressed the body.
    case unknownVersion
    /// The server sent the whole, though the part is of its version: it ignored `Range`.
    case rangeIgnored
    /// The server has another version than the part is of.
    case versionChanged
    /// The server sent another range than the one that was asked for, or a compressed one.
    case otherRange
    /// The server has no such range (416): its copy is shorter than the part, or as long.
    case rangeNotSatisfiable
    /// The part was removed or changed while the request was sent.
    case partChanged
}

extension DownloadRestart: CustomStringConvertible {
    /// One lower-case line.
    public var description: String {
        switch self {
        case .unknownVersion: "nothing says which version the part is of"
        case .rangeIgnored: "the server ignored Range"
        case .versionChanged: "the server has another version"
        case .otherRange: "the server sent another range"
        case .rangeNotSatisfiable: "the server has no such range"
        case .partChanged: "the part is gone or was changed"
        }
    }
}

extension DownloadRestart {
    /// Why the response to a request for the rest is not the rest; nil for one that is.
    init?(_ head: ResponseHead, insteadOf rest: DownloadPlan.Rest) {
        if rest.version.contradicts(head) {
            self = .versionChanged
        } else if head.status != 206 {
            self = .rangeIgnored
        } else if head.headers[.contentRange].flatMap({ ContentRange($0) })?.first != rest.offset
            || head.headers[.contentEncoding] != nil
        {
            self = .otherRange
        } else {
            return nil
        }
    }
}
