import ColdStart
import NetKit

struct ItemRequest: Request {
    typealias ResponseObjectType = ColdStart.Item
    let path = ColdStart.path
}

ColdStart.run { url in
    let endpoint = Endpoint(baseURL: url)
    return {
        try await withCheckedThrowingContinuation { continuation in
            endpoint.execute(ItemRequest())
                .onSuccess { continuation.resume(returning: $0) }
                .onFail { continuation.resume(throwing: $0) }
        }
    }
}
