import Foundation
import NetKit
import NetKitPaging
import NetKitTesting
import Testing

@Suite("Container registry", .needs(.registry), .timeLimit(.minutes(10)))
struct RegistryTests {
    @Test("accepts a blob in parts and returns it in ranges", arguments: Engine.allCases)
    func pushAndPull(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.registry)
        let repository = "ranges/\(engine.rawValue)"
        let registry = Registry(endpoint: endpoint, repository: repository)
        let blob = Data.noise(2_500_000)
        let digest = try await registry.push(blob, partSize: 1_000_000)
        let head = try await endpoint.response(for: BlobHeadRequest(digest, in: repository))
        #expect(head.http.headers[.contentLength] == "2500000")
        #expect(head.http.headers["Docker-Content-Digest"] == digest)
        var pulled = Data()
        for range in ["bytes=0-999999", "bytes=1000000-2399999", "bytes=2400000-"] {
            let request = BlobRequest(digest, in: repository, range: range)
            let response = try await endpoint.response(for: request)
            #expect(response.http.status == 206)
            pulled += response.value
        }
        #expect("sha256:" + sha256(pulled).hexadecimal == digest)
        #expect(try await endpoint.value(for: BlobRequest(digest, in: repository)) == blob)
    }

    @Test("resumes an interrupted download within one call", arguments: Engine.allCases)
    func resumedDownload(engine: Engine) async throws {
        let (endpoint, faults) = try engine.faultyEndpoint(.registry)
        let repository = "downloads/\(engine.rawValue)"
        let registry = Registry(endpoint: endpoint, repository: repository)
        let blob = Data.noise(3_000_000, seed: 2)
        let digest = try await registry.push(blob)
        let folder = try TemporaryFolder()
        let check = ContentDigest.sha256(sha256(blob)) { sha256(try Data(contentsOf: $0)) }
        let download = BlobRequest(digest, in: repository)
            .download(to: folder.file("blob"), checking: check)
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 2, backoff: .none)
        faults.script(.cut(afterBodyBytes: 1_000_000), .cut(afterBodyBytes: 500_000))
        let response = try await endpoint.response(for: download)
        #expect(response.attempts == 3)
        #expect(response.http.headers["Content-Range"] == "bytes 1500000-2999999/3000000")
        #expect(try Data(contentsOf: response.value) == blob)
    }

    @Test("reports failures as typed errors", arguments: Engine.allCases)
    func errors(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.registry)
        let repository = "errors/\(engine.rawValue)"
        let unknown = "sha256:" + String(repeating: "0", count: 64)
        let missing = try await failure(of: BlobRequest(unknown, in: repository), on: endpoint)
        #expect(missing.statusCode == 404)
        #expect(
            missing.serverError?.errors
                == [.init(code: "BLOB_UNKNOWN", message: "blob unknown to registry")]
        )
        #expect(missing.message == "blob unknown to registry")
        let manifest = try await failure(of: ManifestRequest("x", in: repository), on: endpoint)
        #expect(manifest.serverError?.errors.map(\.code) == ["MANIFEST_UNKNOWN"])
        let start = try await endpoint.response(for: StartUploadRequest(to: repository))
        let location = try #require(start.http.headers[.location].flatMap { URL(string: $0) })
        let wrong = try await failure(
            of: FinishUploadRequest(Data("x".utf8), digest: unknown, to: location),
            on: endpoint
        )
        #expect(wrong.statusCode == 400)
        #expect(wrong.serverError?.errors.map(\.code) == ["DIGEST_INVALID"])
        // A HEAD has no body to say it in.
        let head = try await failure(of: BlobHeadRequest(unknown, in: repository), on: endpoint)
        #expect(head.statusCode == 404)
    }

    @Test("stores an image by its manifest until it is deleted", arguments: Engine.allCases)
    func manifests(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.registry)
        let repository = "images/\(engine.rawValue)"
        let registry = Registry(endpoint: endpoint, repository: repository)
        let layer = Data.noise(1_000, seed: 3)
        let config = Data("{}".utf8)
        let manifest = Manifest(
            config: .init(
                mediaType: "application/vnd.oci.image.config.v1+json",
                size: config.count,
                digest: try await registry.push(config)
            ),
            layers: [
                .init(
                    mediaType: "application/vnd.oci.image.layer.v1.tar",
                    size: layer.count,
                    digest: try await registry.push(layer)
                )
            ]
        )
        let put = PutManifestRequest(manifest, as: "latest", in: repository)
        let response = try await endpoint.response(for: put)
        let digest = try #require(response.http.headers["Docker-Content-Digest"])
        for reference in ["latest", digest] {
            let request = ManifestRequest(reference, in: repository)
            #expect(try await endpoint.value(for: request) == manifest)
        }
        try await endpoint.value(for: DeleteManifestRequest(digest, in: repository))
        let error = try await failure(of: ManifestRequest(digest, in: repository), on: endpoint)
        #expect(error.serverError?.errors.map(\.code) == ["MANIFEST_UNKNOWN"])
    }

    @Test("lists its repositories in linked pages", arguments: Engine.allCases)
    func catalog(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.registry)
        let names = (1...3).map { "catalog/\(engine.rawValue)-\($0)" }
        for name in names {
            _ = try await Registry(endpoint: endpoint, repository: name).push(Data(name.utf8))
        }
        var found: [String] = []
        for try await page in endpoint.pages(of: CatalogRequest(pagesOf: 1)) {
            #expect(page.value.repositories.count <= 1)
            found += page.value.repositories
        }
        #expect(Set(names).isSubset(of: found))
        #expect(found == found.sorted())
    }
}
