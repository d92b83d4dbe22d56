import ColdStart
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `raw-tuned` of the suite `small`.
ColdStart.run { url in
    let configuration = URLSessionConfiguration.default
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    let session = URLSession(configuration: configuration)
    let request = URLRequest(url: url.appendingPathComponent(ColdStart.path))
    return {
        let (data, _) = try await session.data(for: request)
        return try JSONDecoder().decode(ColdStart.Item.self, from: data)
    }
}
