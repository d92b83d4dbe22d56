import Foundation
import NetKit

/// A feed of events that may be quiet for long.
final class FeedRequest: Request {
    typealias ResponseObjectType = Void

    let path = "feed"
    let headers: HTTPHeaders = [.accept: "text/event-stream"]
    let timeout: TimeInterval? = 300
}
