/// A parser for `type/subtype; name=value; name="quoted value"` (RFC 9110, sections 5.6.6 and 8.3.1).
///
/// It reads bytes, because a combining mark after a delimiter would conceal it.
package struct MimeTypeParts {
    package private(set) var parameters: [String: String] = [:]
    /// The text without surrounding white space.
    package let trimmedText: String

    /// Parses a text.
    ///
    /// Nil if it isn't a media type.
    package init?(_ text: String) { self.init(text, skippingErrors: false) }

    /// Parses the text of a field that a server sent.
    ///
    /// What is no parameter is skipped up to the next semicolon (WHATWG MIME Sniffing, section 4.4). Nil if the text doesn't
    /// begin with a type.
    package init?(received text: String) { self.init(text, skippingErrors: true) }

    private init?(_ text: String, skippingErrors isLenient: Bool) {
        trimmedText = String(Substring(Self.trimmed(text.utf8[...])))
        var reader = FieldReader(trimmedText)
        guard reader.token() != nil, reader.take("/"), reader.token() != nil else { return nil }
        while true {
            reader.skipBlanks()
            guard !reader.isAtEnd else { return }
            if reader.take(";") {
                reader.skipBlanks()
                if reader.isAtEnd || reader.next == UInt8(ascii: ";") { continue }
                if let name = reader.token(), reader.take("="),
                    let value = reader.token() ?? reader.quotedString()
                {
                    // The first parameter of a name applies, as in the WHATWG's parser.
                    let key = name.lowercased()
                    if parameters[key] == nil { parameters[key] = value }
                    continue
                }
            }
            guard isLenient else { return nil }
            reader.skip(to: ";")
        }
    }

    /// The normalized form of a media type for comparison, or the text itself if it is invalid.
    package static func canonical(_ text: String) -> [String] {
        guard let parts = MimeTypeParts(text) else { return [text] }
        let (type, subtype) = essence(of: text)
        let parameters = parts.parameters.map { name, value in
            "\(name)=\(name == "charset" ? value.lowercased() : value)"
        }
        return ["\(type)/\(subtype)"] + parameters.sorted()
    }

    /// Returns the type and subtype in lowercase, without validation.
    package static func essence(of text: String) -> (type: String, subtype: String) {
        let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }
        let type = essence.prefix { $0 != UInt8(ascii: "/") }
        let subtype = essence[type.endIndex...].dropFirst()
        return (
            Substring(trimmed(type)).lowercased(),
            Substring(trimmed(subtype)).lowercased()
        )
    }

    /// Returns a value as a token if possible, or else quoted.
    package static func quotedIfNeeded(_ value: String) -> String {
        value.isHTTPToken ? value : QuotedString.quoting(value)
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var trimmed = bytes.drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }
}

/// The usual media types of file extensions.
package enum FileExtensions {
    /// Finds the media type of a file extension.
    ///
    /// - Parameter fileExtension: The extension in any case, with or without its dot.
    /// - Returns: The type, or nil for an unknown extension.
    package static func mediaType(of fileExtension: String) -> String? {
        let key = fileExtension.hasPrefix(".") ? String(fileExtension.dropFirst()) : fileExtension
        return mediaTypes[key.lowercased()]
    }

    /// The media types by extension.
    ///
    /// Read from one text, because the optimizer takes 0.3 seconds for a dictionary literal of this size.
    private static let mediaTypes = """
        aac audio/aac
        avi video/x-msvideo
        avif image/avif
        bin application/octet-stream
        bmp image/bmp
        bz2 application/x-bzip2
        css text/css
        csv text/csv
        doc application/msword
        docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
        eot application/vnd.ms-fontobject
        epub application/epub+zip
        flac audio/flac
        flv video/x-flv
        gif image/gif
        glb model/gltf-binary
        gltf model/gltf+json
        gz application/gzip
        heic image/heic
        heif image/heif
        htm text/html
        html text/html
        ico image/vnd.microsoft.icon
        ics text/calendar
        jar application/java-archive
        jpeg image/jpeg
        jpg image/jpeg
        js text/javascript
        json application/json
        jsonl application/jsonl
        jsonld application/ld+json
        log text/plain
        m3u8 application/vnd.apple.mpegurl
        m4a audio/mp4
        m4v video/mp4
        markdown text/markdown
        md text/markdown
        mid audio/midi
        midi audio/midi
        mjs text/javascript
        mkv video/x-matroska
        mov video/quicktime
        mp3 audio/mpeg
        mp4 video/mp4
        mpeg video/mpeg
        mpg video/mpeg
        ndjson application/x-ndjson
        odp application/vnd.oasis.opendocument.presentation
        ods application/vnd.oasis.opendocument.spreadsheet
        odt application/vnd.oasis.opendocument.text
        oga audio/ogg
        ogg audio/ogg
        ogv video/ogg
        opus audio/opus
        otf font/otf
        pdf application/pdf
        php text/php
        plist application/x-plist
        png image/png
        ppt application/vnd.ms-powerpoint
        pptx application/vnd.openxmlformats-officedocument.presentationml.presentation
        ps application/postscript
        rar application/vnd.rar
        rtf application/rtf
        sh application/x-sh
        svg image/svg+xml
        tar application/x-tar
        tex application/x-tex
        tif image/tiff
        tiff image/tiff
        toml application/toml
        torrent application/x-bittorrent
        ts video/mp2t
        tsv text/tab-separated-values
        ttf font/ttf
        txt text/plain
        vcf text/vcard
        wasm application/wasm
        wav audio/wav
        weba audio/webm
        webm video/webm
        webmanifest application/manifest+json
        webp image/webp
        wma audio/x-ms-wma
        wmv video/x-ms-wmv
        woff font/woff
        woff2 font/woff2
        xhtml application/xhtml+xml
        xls application/vnd.ms-excel
        xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
        xml application/xml
        yaml application/yaml
        yml application/yaml
        zip application/zip
        zst application/zstd
        3gp video/3gpp
        7z application/x-7z-compressed
        """
        .split(separator: "\n")
        .reduce(into: [String: String]()) { types, line in
            let words = line.split(separator: " ")
            types[String(words[0])] = String(words[1])
        }
}
