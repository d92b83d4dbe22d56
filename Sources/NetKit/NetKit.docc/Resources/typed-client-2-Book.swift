public struct Book: Codable, Sendable {
    public let id: Int
    public let title: String
}
