import ColdStart
import NetKit
import NetKitAsyncHTTPClient

struct ItemRequest: Request {
    typealias ResponseObjectType = ColdStart.Item
    let path = ColdStart.path
}

ColdStart.run { url in
    let endpoint = Endpoint(baseURL: url, transport: AsyncHTTPClientTransport())
    return { try await endpoint.value(for: ItemRequest()) }
}
