import Foundation
import NetKit

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A file or a folder of a WebDAV server.
struct Resource: Equatable {
    var path = ""
    var isFolder = false
    var length: Int?
    var tag: String?
}

extension ResponseDecoding where Value == [Resource] {
    /// The resources in a multistatus (RFC 4918, section 13).
    static var multistatus: Self {
        ResponseDecoding(accept: "application/xml") { response, _ in
            let reader = MultistatusReader()
            let parser = XMLParser(data: response.body)
            parser.shouldProcessNamespaces = true
            parser.delegate = reader
            guard parser.parse() else { throw MalformedMultistatus() }
            return reader.resources
        }
    }
}

struct MalformedMultistatus: Error {}

private final class MultistatusReader: NSObject, XMLParserDelegate {
    var resources: [Resource] = []
    private var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        guard namespaceURI == "DAV:" else { return }
        switch name {
        case "response": resources.append(Resource())
        case "collection" where !resources.isEmpty: resources[resources.count - 1].isFolder = true
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }

    func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard namespaceURI == "DAV:", !resources.isEmpty else { return }
        let last = resources.count - 1
        switch name {
        case "href" where resources[last].path.isEmpty:
            resources[last].path = text.removingPercentEncoding ?? text
        case "getcontentlength": resources[last].length = Int(text)
        case "getetag": resources[last].tag = text
        default: break
        }
    }
}
