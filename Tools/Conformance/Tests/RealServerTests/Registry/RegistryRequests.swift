import Foundation
import NetKit

/// What a registry says of a failure.
struct RegistryError: ServerError, Decodable {
    struct Entry: Decodable, Equatable {
        let code: String
        let message: String
    }

    let errors: [Entry]

    var message: String { errors.map(\.message).joined(separator: ", ") }
}

protocol RegistryRequest: Request where ErrorType == RegistryError {}

/// Begins the upload of a blob; the response's `Location` is where it goes.
struct StartUploadRequest: RegistryRequest {
    typealias ResponseObjectType = Void
    typealias ErrorType = RegistryError
    let path: String
    let method: HTTPMethod = .post

    init(to repository: String) {
        path = "v2/\(repository)/blobs/uploads/"
    }
}

/// A part of a blob.
struct UploadChunkRequest: RegistryRequest {
    typealias ResponseObjectType = Void
    typealias ErrorType = RegistryError
    let path: String
    let method: HTTPMethod = .patch
    let body: RequestBody?
    @Header("Content-Range") private(set) var range: String

    init(_ chunk: Data, from first: Int, to location: URL) {
        path = location.absoluteString
        body = .raw(chunk)
        range = "\(first)-\(first + chunk.count - 1)"
    }
}

/// The last part of a blob, and what the whole has to be.
struct FinishUploadRequest: RegistryRequest {
    typealias ResponseObjectType = Void
    typealias ErrorType = RegistryError
    let path: String
    let method: HTTPMethod = .put
    let body: RequestBody?
    @Query("digest") private(set) var digest: String

    init(_ chunk: Data, digest: String, to location: URL) {
        path = location.absoluteString
        body = .raw(chunk)
        self.digest = digest
    }
}

struct BlobRequest: RegistryRequest {
    typealias ResponseObjectType = Data
    typealias ErrorType = RegistryError
    let path: String
    var method: HTTPMethod = .get
    @Header(.range) private(set) var range: String?

    init(_ digest: String, in repository: String, range: String? = nil) {
        path = "v2/\(repository)/blobs/\(digest)"
        self.range = range
    }
}

/// Whether a blob is there; its length is in the fields.
struct BlobHeadRequest: RegistryRequest {
    typealias ResponseObjectType = Void
    typealias ErrorType = RegistryError
    let path: String
    let method: HTTPMethod = .head

    init(_ digest: String, in repository: String) {
        path = "v2/\(repository)/blobs/\(digest)"
    }
}

/// What an image consists of.
struct Manifest: Codable, Equatable {
    struct Part: Codable, Equatable {
        let mediaType: String
        let size: Int
        let digest: String
    }

    static let mediaType: MimeType = "application/vnd.oci.image.manifest.v1+json"

    var schemaVersion = 2
    var mediaType = Manifest.mediaType.rawValue
    let config: Part
    let layers: [Part]
}

struct PutManifestRequest: RegistryRequest {
    typealias ResponseObjectType = Void
    typealias ErrorType = RegistryError
    let path: String
    let method: HTTPMethod = .put
    let body: RequestBody?
    let headers: HTTPHeaders = [.contentType: Manifest.mediaType.rawValue]

    init(_ manifest: Manifest, as tag: String, in repository: String) {
        path = "v2/\(repository)/manifests/\(tag)"
        body = .encodable(manifest)
    }
}

struct ManifestRequest: RegistryRequest {
    typealias ResponseObjectType = Manifest
    typealias ErrorType = RegistryError
    let path: String
    let headers: HTTPHeaders = [.accept: Manifest.mediaType.rawValue]

    init(_ reference: String, in repository: String) {
        path = "v2/\(repository)/manifests/\(reference)"
    }
}

struct DeleteManifestRequest: RegistryRequest {
    typealias ResponseObjectType = Void
    typealias ErrorType = RegistryError
    let path: String
    let method: HTTPMethod = .delete

    init(_ digest: String, in repository: String) {
        path = "v2/\(repository)/manifests/\(digest)"
    }
}

/// The names of all repositories, some to a page.
struct CatalogRequest: RegistryRequest {
    struct Page: Decodable {
        let repositories: [String]
    }

    typealias ResponseObjectType = Page
    typealias ErrorType = RegistryError
    let path = "v2/_catalog"
    @Query("n") private(set) var count: Int

    init(pagesOf count: Int) {
        self.count = count
    }
}
