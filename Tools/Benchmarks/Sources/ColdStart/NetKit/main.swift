import ColdStart
import NetKit

struct ItemRequest: Request {
    typealias ResponseObjectType = ColdStart.Item
    let path = ColdStart.path
}

ColdStart.run { url in
    let endpoint = Endpoint(baseURL: url)
    return { try await endpoint.value(for: ItemRequest()) }
}
