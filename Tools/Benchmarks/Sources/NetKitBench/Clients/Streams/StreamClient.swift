import ArgumentParser
import Foundation

/// The clients of the suite `stream`, in the order of the report.
enum StreamClient: String, CaseIterable, ExpressibleByArgument, BenchmarkClient {
    case netKit = "netkit-stream"
    case asyncHTTPClient = "async-http-client-stream"
    case netKitOverAsyncHTTPClient = "netkit-stream-over-async-http-client"

    var title: String {
        switch self {
        case .netKit: "NetKit"
        case .asyncHTTPClient: "AsyncHTTPClient, by hand"
        case .netKitOverAsyncHTTPClient: "NetKit over AsyncHTTPClient"
        }
    }

    /// The client, ready to read.
    func streamReading(_ baseURL: URL) -> any StreamReading {
        switch self {
        case .netKit: NetKitStreamClient(baseURL: baseURL, .urlSession)
        case .asyncHTTPClient: AsyncHTTPClientStreamClient(baseURL: baseURL)
        case .netKitOverAsyncHTTPClient: NetKitStreamClient(baseURL: baseURL, .asyncHTTPClient)
        }
    }
}
