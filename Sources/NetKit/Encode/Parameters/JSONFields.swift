import Foundation

/// The members of a JSON object as the text parts of a form.
enum JSONFields {
    /// The members as names and texts, as `params` have them.
    ///
    /// - Parameter object: The text of an object.
    /// - Returns: Its members, sorted by name: scalars as they read, containers as JSON, null not at all.
    /// - Throws: ``InvalidRequest`` for JSON that is no object, or a number that `Decimal` can't hold.
    static func fields(of object: Data) throws(InvalidRequest) -> [(String, String)] {
        let members: [String: JSONValue]
        do {
            members = try JSONDecoder().decode([String: JSONValue].self, from: object)
        } catch DecodingError.dataCorrupted(let context) {
            let keyPath = Unencodable(context.codingPath).keyPath(below: "")
            throw InvalidRequest(.unencodableBody(keyPath))
        } catch {
            throw InvalidRequest(.unencodableBody("a JSON body beside files that is no object"))
        }
        var fields: [(String, String)] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let text = try JSONWriter.text(of: value, at: name) { fields.append((name, text)) }
        }
        return fields
    }
}
