import ColdStart
import NetKit

struct ItemRequest: Request {
    typealias ResponseObjectType = ColdStart.Item
    let path = ColdStart.path
}

try await ColdStart.run { url in
    try await Endpoint(baseURL: url).value(for: ItemRequest())
}
