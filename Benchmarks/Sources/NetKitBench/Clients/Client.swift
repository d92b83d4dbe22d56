import ArgumentParser
import Foundation

/// The clients that are measured, in the order of the report.
enum Client: String, CaseIterable, ExpressibleByArgument, Sendable {
    case rawDefault = "raw-default"
    case rawTuned = "raw-tuned"
    case asyncHTTPClient = "async-http-client"
    case netKitCallbacks = "netkit-callbacks"
    case netKitAsync = "netkit-async"
    case netKitOverAsyncHTTPClient = "netkit-over-async-http-client"

    /// The client's name for people.
    var title: String {
        switch self {
        case .rawDefault: "raw URLSession, default"
        case .rawTuned: "raw URLSession, tuned"
        case .asyncHTTPClient: "AsyncHTTPClient"
        case .netKitCallbacks: "NetKit, callbacks"
        case .netKitAsync: "NetKit, async"
        case .netKitOverAsyncHTTPClient: "NetKit over AsyncHTTPClient, async"
        }
    }

    /// The client made ready for the suite `small`.
    func itemFetching(from baseURL: URL) -> any ItemFetching {
        switch self {
        case .rawDefault: RawURLSessionClient(baseURL: baseURL, .untouched)
        case .rawTuned: RawURLSessionClient(baseURL: baseURL, .tuned)
        case .asyncHTTPClient: AsyncHTTPClientClient(baseURL: baseURL)
        case .netKitCallbacks: NetKitCallbacksClient(baseURL: baseURL)
        case .netKitAsync: NetKitAsyncClient(baseURL: baseURL)
        case .netKitOverAsyncHTTPClient: NetKitAsyncClient(overAsyncHTTPClient: baseURL)
        }
    }
}
