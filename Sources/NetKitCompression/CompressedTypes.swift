import NetKit

extension MimeType {
    /// Whether content of the type is usually compressed already, so that gzip would only cost time.
    var isCompressed: Bool {
        switch type {
        case "image": !["svg+xml", "bmp", "x-ms-bmp", "x-portable-anymap"].contains(subtype)
        case "video": true
        case "audio": !["wav", "x-wav", "wave", "midi", "basic", "l16", "l24"].contains(subtype)
        case "font": ["woff", "woff2"].contains(subtype)
        case "application":
            Self.compressedApplications.contains(subtype) || subtype.hasSuffix("+zip")
                || subtype.hasSuffix("+gzip") || subtype.hasSuffix("+zstd")
                || subtype.hasPrefix("vnd.openxmlformats-officedocument.")
                || subtype.hasPrefix("vnd.oasis.opendocument.")
        default: false
        }
    }

    private static let compressedApplications: Set<String> = [
        "zip", "x-zip-compressed", "gzip", "x-gzip", "zstd", "x-bzip", "x-bzip2", "x-xz", "x-lzma",
        "x-lz4",
        "x-brotli", "x-compress", "x-7z-compressed", "x-rar-compressed", "vnd.rar", "java-archive",
        "vnd.android.package-archive", "x-apple-diskimage", "pdf", "font-woff", "x-font-woff",
        "vnd.debian.binary-package", "x-rpm",
    ]
}
