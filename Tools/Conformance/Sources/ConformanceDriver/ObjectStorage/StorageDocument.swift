import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A document that isn't what S3 sends.
struct MalformedDocument: Error {}

/// The texts of an XML document by the names of their elements, which is enough for those of S3.
struct StorageDocument {
    let root: String
    private let texts: [String: [String]]

    /// Reads a document, which may follow blanks that keep a connection open.
    init?(_ body: Data) {
        let blanks = body.prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let reader = Reader()
        let parser = XMLParser(data: Data(body.dropFirst(blanks.count)))
        parser.delegate = reader
        guard parser.parse(), let root = reader.root else { return nil }
        self.root = root
        texts = reader.texts
    }

    /// The texts of the elements with a name, in their order.
    func all(_ name: String) -> [String] { texts[name] ?? [] }

    func first(_ name: String) -> String? { all(name).first }

    private final class Reader: NSObject, XMLParserDelegate {
        var root: String?
        var texts: [String: [String]] = [:]
        private var text = ""

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            root = root ?? name
            text = ""
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
            texts[name, default: []].append(text)
            text = ""
        }
    }
}
