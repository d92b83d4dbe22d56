import NetKit

/// Requests a stream of events that can be idle for five minutes.
final class FeedRequest: Request {
    typealias ResponseObjectType = Void

    let path = "feed"
    let headers: HTTPHeaders = [.accept: "text/event-stream"]
    let timeout: Duration = .seconds(300)
}
