#if ALAMOFIRE
import Alamofire
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Alamofire with its default settings.
struct AlamofireClient: AsyncItemFetching {
    private let url: URL
    private let session: Session

    init(_ source: ItemSource) {
        url = source.url
        let configuration = URLSessionConfiguration.af.default
        if let connections = source.connections {
            configuration.httpMaximumConnectionsPerHost = connections
        }
        session = Session(configuration: configuration)
    }

    func fetchItem() async throws -> Item {
        try await session.request(url, headers: [.accept("application/json")])
            .validate(statusCode: [200])
            .serializingDecodable(Item.self)
            .value
    }
}

#if ALAMOFIRE_MULTIPART
/// Alamofire's multipart upload, made for each call from the parts.
///
/// On Linux it takes a checkout without `streamError`, at which Foundation ends the process.
struct AlamofirePartsClient: FormSending {
    private let url: URL
    private let form: PartsForm
    private let session = Session()

    init(_ form: PartsForm, baseURL: URL) {
        url = baseURL.appendingPathComponent("upload")
        self.form = form
    }

    func send() async throws -> UploadReceipt {
        let upload = session.upload(
            multipartFormData: { data in
                for part in form.parts {
                    data.append(
                        part.content,
                        withName: part.name,
                        fileName: part.fileName,
                        mimeType: PartsForm.mime
                    )
                }
            },
            to: url
        )
        return try await upload.validate(statusCode: [200])
            .serializingDecodable(UploadReceipt.self)
            .value
    }
}
#endif
#endif
