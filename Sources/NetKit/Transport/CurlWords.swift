/// What libcurl's messages say, for its own transport and for `URLSession`, which runs over it on Linux.
package enum CurlWords {
    /// The host and port in `Failed to connect to HOST port N after M ms: Couldn't connect to server`.
    ///
    /// They are the proxy's if there is one.
    package static func peer(in text: String) -> (host: Substring, port: Substring)? {
        let words = text.split(separator: " ")
        guard words.count > 6, text.hasPrefix("Failed to connect to "), words[5] == "port" else {
            return nil
        }
        return (words[4], words[6])
    }

    /// What follows the first of the marks that is found, else the whole text; the first letter in lower case.
    package static func rest(of text: String, after marks: [String]) -> String {
        let mark = marks.lazy.compactMap { text.firstRange(of: $0) }.first
        let rest = mark.map { text[$0.upperBound...] } ?? text[...]
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }
}
