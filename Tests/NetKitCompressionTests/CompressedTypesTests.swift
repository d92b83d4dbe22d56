import NetKit
import Testing

@testable import NetKitCompression

@Suite("Compressed media types")
struct CompressedTypesTests {
    @Test(
        "are those whose content gzip doesn't make smaller",
        arguments: [
            "image/png", "image/jpeg", "IMAGE/PNG", "image/webp; q=1", "video/mp4", "audio/mpeg",
            "audio/ogg",
            "font/woff2", "application/zip", "application/gzip", "application/x-7z-compressed",
            "application/pdf", "application/epub+zip", "application/java-archive",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.oasis.opendocument.text",
        ]
    )
    func compressed(text: String) {
        #expect(MimeType(rawValue: text).isCompressed)
    }

    @Test(
        "are no others",
        arguments: [
            "application/json", "text/plain; charset=utf-8", "image/svg+xml", "image/bmp",
            "audio/wav",
            "font/ttf", "application/octet-stream", "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x", "application/vnd.api+json", "application/x-ndjson",
            "application/zipper", "model/gltf+json", "", "zip",
        ]
    )
    func plain(text: String) {
        #expect(!MimeType(rawValue: text).isCompressed)
    }
}
