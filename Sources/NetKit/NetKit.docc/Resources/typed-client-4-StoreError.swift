import NetKit

public struct StoreError: ServerError, Codable {
    public let message: String
    public let code: Int
}
