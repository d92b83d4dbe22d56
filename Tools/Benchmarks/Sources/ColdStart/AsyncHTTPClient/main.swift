import AsyncHTTPClient
import ColdStart
import Foundation
import NIOCore
import NIOFoundationCompat

ColdStart.run { url in
    let request = HTTPClientRequest(url: url.appendingPathComponent(ColdStart.path).absoluteString)
    return {
        let response = try await HTTPClient.shared.execute(request, timeout: .minutes(1))
        let body = try await response.body.collect(upTo: 1 << 20)
        return try JSONDecoder().decode(ColdStart.Item.self, from: body)
    }
}
