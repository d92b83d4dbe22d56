import ArgumentParser
import Foundation

/// The clients of the suites `upload` and `download`, each suite's in the order of its report.
enum TransferClient: String, CaseIterable, ExpressibleByArgument, BenchmarkClient {
    case rawUploadTask = "raw-upload-task"
    case netKitFile = "netkit-file"
    case netKitMultipart = "netkit-multipart"
    case netKitFileOverAsyncHTTPClient = "netkit-file-over-async-http-client"
    case netKitFileOverCurl = "netkit-file-over-curl"
    case asyncHTTPClientUpload = "async-http-client-upload"
    case rawCurlUpload = "raw-libcurl-upload"
    case rawDownloadTask = "raw-download-task"
    case rawDataTask = "raw-data-task"
    case netKitDownload = "netkit-download"
    case netKitDownloadOverAsyncHTTPClient = "netkit-download-over-async-http-client"
    case netKitDownloadOverCurl = "netkit-download-over-curl"
    case asyncHTTPClientDownload = "async-http-client-download"
    case rawCurlDownload = "raw-libcurl-download"

    /// Which way the bytes go.
    var direction: TransferDirection {
        switch self {
        case .rawUploadTask, .netKitFile, .netKitMultipart, .netKitFileOverAsyncHTTPClient,
            .netKitFileOverCurl, .asyncHTTPClientUpload, .rawCurlUpload:
            .upload
        case .rawDownloadTask, .rawDataTask, .netKitDownload, .netKitDownloadOverAsyncHTTPClient,
            .netKitDownloadOverCurl, .asyncHTTPClientDownload, .rawCurlDownload:
            .download
        }
    }

    /// Whether it is a client of NetKit, which has goals.
    var isNetKit: Bool {
        switch self {
        case .netKitFile, .netKitMultipart, .netKitDownload, .netKitFileOverAsyncHTTPClient,
            .netKitDownloadOverAsyncHTTPClient, .netKitFileOverCurl, .netKitDownloadOverCurl:
            true
        default: false
        }
    }

    var title: String {
        switch self {
        case .rawUploadTask: "raw uploadTask(with:fromFile:)"
        case .netKitFile: "NetKit, RequestBody.file"
        case .netKitMultipart: "NetKit, multipart of a file"
        case .netKitFileOverAsyncHTTPClient: "NetKit over AsyncHTTPClient, file"
        case .netKitFileOverCurl: "NetKit over libcurl, file"
        case .rawCurlUpload: "raw libcurl, file"
        case .asyncHTTPClientUpload: "AsyncHTTPClient, stream of a file"
        case .rawDownloadTask: "raw downloadTask"
        case .rawDataTask: "raw dataTask, own FileHandle"
        case .netKitDownload: "NetKit, download(to:)"
        case .netKitDownloadOverAsyncHTTPClient: "NetKit over AsyncHTTPClient, download(to:)"
        case .netKitDownloadOverCurl: "NetKit over libcurl, download(to:)"
        case .rawCurlDownload: "raw libcurl, file"
        case .asyncHTTPClientDownload: "AsyncHTTPClient, FileDownloadDelegate"
        }
    }

    /// The client made ready.
    func fileTransferring(_ baseURL: URL) -> any FileTransferring {
        switch self {
        case .rawUploadTask: RawUploadTaskClient(baseURL: baseURL)
        case .netKitFile: NetKitUploadClient(baseURL: baseURL, .file)
        case .netKitMultipart: NetKitUploadClient(baseURL: baseURL, .multipart)
        case .netKitFileOverAsyncHTTPClient:
            NetKitUploadClient(baseURL: baseURL, .file, .asyncHTTPClient)
        case .netKitFileOverCurl: NetKitUploadClient(baseURL: baseURL, .file, .curl)
        case .asyncHTTPClientUpload: AsyncHTTPClientUploadClient(baseURL: baseURL)
        case .rawCurlUpload: RawCurlTransferClient(baseURL: baseURL, direction: .upload)
        case .rawDownloadTask: RawDownloadTaskClient(baseURL: baseURL)
        case .rawDataTask: RawDataTaskClient(baseURL: baseURL)
        case .netKitDownload: NetKitDownloadClient(baseURL: baseURL)
        case .netKitDownloadOverAsyncHTTPClient:
            NetKitDownloadClient(baseURL: baseURL, .asyncHTTPClient)
        case .netKitDownloadOverCurl: NetKitDownloadClient(baseURL: baseURL, .curl)
        case .asyncHTTPClientDownload: AsyncHTTPClientDownloadClient(baseURL: baseURL)
        case .rawCurlDownload: RawCurlTransferClient(baseURL: baseURL, direction: .download)
        }
    }
}
