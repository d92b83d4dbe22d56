import NetKit

/// Requests the headlines of the day.
///
/// The server sets how long they are fresh.
final class HeadlinesRequest: Request {
    typealias ResponseObjectType = [String]

    let path = "headlines"
    let cachePolicy: CachePolicy

    init(refreshing: Bool = false) {
        cachePolicy = refreshing ? .revalidate : .standard
    }
}
