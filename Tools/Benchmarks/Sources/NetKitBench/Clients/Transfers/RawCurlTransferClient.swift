import Foundation
import RawCurl

/// The limit of a client over libcurl: `curl_easy_perform` that reads the file, or writes it.
struct RawCurlTransferClient: FileTransferring {
    let baseURL: URL
    let direction: TransferDirection

    func transfer(_ file: TransferFile) async throws {
        let (baseURL, direction) = (baseURL, direction)
        try await RawCurlClient.onThread {
            switch direction {
            case .download:
                raw_curl_download("\(baseURL.absoluteString)/content/\(file.length)", file.url.path)
            case .upload:
                withUnsafePointer(to: file) { file in
                    raw_curl_upload(
                        "\(baseURL.absoluteString)/upload",
                        file.pointee.url.path,
                        Int64(file.pointee.length),
                        { context, body, length in
                            guard let file = context?.assumingMemoryBound(to: TransferFile.self),
                                let body
                            else { return false }
                            let data = Data(bytes: body, count: length)
                            let receipt = try? JSONDecoder().decode(UploadReceipt.self, from: data)
                            return (try? receipt?.check(file.pointee)) != nil
                        },
                        UnsafeMutableRawPointer(mutating: file)
                    )
                }
            }
        }
    }
}
