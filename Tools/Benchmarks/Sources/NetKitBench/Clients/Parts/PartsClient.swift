import ArgumentParser
import Foundation

/// The clients of the suite `parts`, in the order of the report.
enum PartsClient: String, CaseIterable, ExpressibleByArgument, BenchmarkClient {
    case rawUploadData = "raw-upload-data"
    #if ALAMOFIRE_MULTIPART
    case alamofire = "alamofire-parts"
    #endif
    case netKitParts = "netkit-parts"
    case asyncHTTPClientData = "async-http-client-data"
    case netKitPartsOverAsyncHTTPClient = "netkit-parts-over-async-http-client"

    var title: String {
        switch self {
        case .rawUploadData: "raw uploadTask(with:from:), bytes made before"
        #if ALAMOFIRE_MULTIPART
        case .alamofire: "Alamofire, multipart"
        #endif
        case .netKitParts: "NetKit, multipart"
        case .asyncHTTPClientData: "AsyncHTTPClient, bytes made before"
        case .netKitPartsOverAsyncHTTPClient: "NetKit over AsyncHTTPClient, multipart"
        }
    }

    /// The client, ready to send the form.
    func formSending(_ form: PartsForm, to baseURL: URL) -> any FormSending {
        switch self {
        case .rawUploadData: RawUploadDataClient(form, baseURL: baseURL)
        #if ALAMOFIRE_MULTIPART
        case .alamofire: AlamofirePartsClient(form, baseURL: baseURL)
        #endif
        case .netKitParts: NetKitPartsClient(form, baseURL: baseURL, .urlSession)
        case .asyncHTTPClientData: AsyncHTTPClientDataClient(form, baseURL: baseURL)
        case .netKitPartsOverAsyncHTTPClient:
            NetKitPartsClient(form, baseURL: baseURL, .asyncHTTPClient)
        }
    }

    /// Makes sure that the server has read the whole form.
    ///
    /// - Throws: ``WrongAnswer`` if it has not.
    func check(_ receipt: UploadReceipt, of form: PartsForm) throws {
        #if ALAMOFIRE_MULTIPART
        // Its boundary, and so its length, is its own.
        if self == .alamofire {
            guard receipt.received > form.contentLength else {
                throw WrongAnswer.length(receipt.received)
            }
            return
        }
        #endif
        guard receipt.received == form.body.count else {
            throw WrongAnswer.length(receipt.received)
        }
    }
}
