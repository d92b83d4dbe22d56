import ArgumentParser
import Foundation
import NetKit
import NetKitCache

/// The clients that fetch the item, in the order of the report.
enum Client: String, CaseIterable, ExpressibleByArgument, BenchmarkClient {
    case rawDefault = "raw-default"
    case rawTuned = "raw-tuned"
    case rawFloor = "raw-floor"
    case rawCurl = "raw-libcurl"
    case rawCurlAsync = "raw-curl-async"
    #if ALAMOFIRE
    case alamofire
    #endif
    #if GET
    case get
    #endif
    case netKitCallbacks = "netkit-callbacks"
    case netKitAsync = "netkit-async"
    case asyncHTTPClient = "async-http-client"
    case asyncHTTPClientDecompressing = "async-http-client-decompressing"
    case netKitCallbacksOverAsyncHTTPClient = "netkit-callbacks-over-async-http-client"
    case netKitOverAsyncHTTPClient = "netkit-over-async-http-client"
    case netKitCallbacksOverCurl = "netkit-callbacks-over-curl"
    case netKitOverCurl = "netkit-over-curl"
    case netKitEmptyCache = "netkit-empty-cache"
    case netKitMemoryHits = "netkit-memory-hits"
    case netKitDiskHits = "netkit-disk-hits"

    /// Those of the suite `small`.
    static let small = allCases.filter { !cached.contains($0) }
    /// Those with a cache.
    static let cached: [Client] = [.netKitEmptyCache, .netKitMemoryHits, .netKitDiskHits]

    var title: String {
        switch self {
        case .rawDefault: "raw URLSession, default"
        case .rawTuned: "raw URLSession, tuned"
        case .rawFloor: "raw URLSession, floor"
        case .rawCurl: "raw libcurl, floor"
        case .rawCurlAsync: "raw libcurl, async"
        #if ALAMOFIRE
        case .alamofire: "Alamofire"
        #endif
        #if GET
        case .get: "Get"
        #endif
        case .netKitCallbacks: "NetKit, callbacks"
        case .netKitAsync: "NetKit, async"
        case .asyncHTTPClient: "AsyncHTTPClient"
        case .asyncHTTPClientDecompressing: "AsyncHTTPClient, decompressing"
        case .netKitCallbacksOverAsyncHTTPClient: "NetKit over AsyncHTTPClient, callbacks"
        case .netKitOverAsyncHTTPClient: "NetKit over AsyncHTTPClient, async"
        case .netKitCallbacksOverCurl: "NetKit over libcurl, callbacks"
        case .netKitOverCurl: "NetKit over libcurl, async"
        case .netKitEmptyCache: "NetKit, with an empty cache"
        case .netKitMemoryHits: "NetKit, from the cache in memory"
        case .netKitDiskHits: "NetKit, from the cache on disk"
        }
    }

    /// The client, ready to fetch the item.
    ///
    /// - Parameter source: Where the item is.
    /// - Returns: The client.
    /// - Throws: When a folder is missing, or can't be used.
    func itemFetching(from source: ItemSource) throws -> any ItemFetching {
        switch self {
        case .rawDefault: return RawURLSessionClient(source, .untouched)
        case .rawTuned: return RawURLSessionClient(source, .tuned)
        case .rawFloor: return RawFloorClient(source)
        case .rawCurl: return RawCurlClient(source)
        case .rawCurlAsync: return RawCurlAsyncClient(source)
        #if ALAMOFIRE
        case .alamofire: return AlamofireClient(source)
        #endif
        #if GET
        case .get: return GetClient(source)
        #endif
        case .netKitCallbacks: return NetKitCallbacksClient(source, .urlSession)
        case .netKitAsync: return NetKitAsyncClient(source, .urlSession)
        case .asyncHTTPClient: return AsyncHTTPClientClient(source)
        case .asyncHTTPClientDecompressing: return AsyncHTTPClientClient(source, decompresses: true)
        case .netKitCallbacksOverAsyncHTTPClient:
            return NetKitCallbacksClient(source, .asyncHTTPClient)
        case .netKitOverAsyncHTTPClient: return NetKitAsyncClient(source, .asyncHTTPClient)
        case .netKitCallbacksOverCurl: return NetKitCallbacksClient(source, .curl)
        case .netKitOverCurl: return NetKitAsyncClient(source, .curl)
        case .netKitEmptyCache: return NetKitAsyncClient(source, .urlSession, cache: .memory())
        case .netKitMemoryHits:
            return NetKitAsyncClient(source.cacheable, .urlSession, cache: .memory())
        case .netKitDiskHits:
            guard let folder = source.cacheFolder else {
                throw ValidationError("--cache-folder is missing")
            }
            return NetKitAsyncClient(source.cacheable, .urlSession, cache: try .disk(folder))
        }
    }
}
