import ColdStart
import NetKit
import NetKitCurl

struct ItemRequest: Request {
    typealias ResponseObjectType = ColdStart.Item
    let path = ColdStart.path
}

ColdStart.run { url in
    let endpoint = Endpoint(baseURL: url, transport: CurlTransport())
    return { try await endpoint.value(for: ItemRequest()) }
}
