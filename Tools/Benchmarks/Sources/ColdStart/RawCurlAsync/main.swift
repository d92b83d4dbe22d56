import ColdStart
import Foundation
import RawCurlLoop

/// `raw-curl-async` of the suite `small`.
ColdStart.run { url in
    let loop = RawCurlLoop(url.appendingPathComponent(ColdStart.path))
    let decoder = JSONDecoder()
    return { try decoder.decode(ColdStart.Item.self, from: try await loop.get()) }
}
