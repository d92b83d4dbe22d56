/// The clients of the suite `cold`, in the order of the report; each is an executable of its own, which
/// links nothing that its call doesn't need.
enum ColdClient: String, CaseIterable, BenchmarkClient {
    case raw
    #if ALAMOFIRE
    case alamofire
    #endif
    case netKitCallbacks = "netkit-callbacks"
    case netKit = "netkit"
    case asyncHTTPClient = "async-http-client"
    case rawCurlAsync = "raw-curl-async"
    case netKitOverCurl = "netkit-over-curl"
    case netKitOverAsyncHTTPClient = "netkit-over-async-http-client"

    var title: String {
        switch self {
        case .raw: "raw URLSession, tuned"
        #if ALAMOFIRE
        case .alamofire: "Alamofire"
        #endif
        case .netKitCallbacks: "NetKit, callbacks"
        case .netKit: "NetKit, async"
        case .asyncHTTPClient: "AsyncHTTPClient"
        case .rawCurlAsync: "raw libcurl, async"
        case .netKitOverCurl: "NetKit over libcurl, async"
        case .netKitOverAsyncHTTPClient: "NetKit over AsyncHTTPClient, async"
        }
    }

    /// The name of its executable, beside this one.
    var executable: String { "netkit-cold-\(rawValue)" }
}
