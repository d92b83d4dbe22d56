import Foundation
import NetKit

/// A path of one endpoint, for the rules that send a single request.
struct ConversationTarget: Decodable {
    let setting: ConversationSetting
    let path: String

    private enum CodingKeys: CodingKey {
        case path
    }

    init(from decoder: any Decoder) throws {
        setting = try ConversationSetting(from: decoder)
        path = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .path)
    }
}
