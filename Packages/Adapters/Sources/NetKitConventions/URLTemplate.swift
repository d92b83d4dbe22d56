package import Foundation

/// `url.template`: the path of a URL with placeholders in the place of its values.
package enum URLTemplate {
    /// Joins a request's template to the path of its endpoint.
    ///
    /// - Parameters:
    ///   - template: The path of the request, with `{name}` for each placeholder; nil without any. A whole URL counts from
    ///     its path on.
    ///   - baseURL: The endpoint's.
    /// - Returns: An absolute path such as `/api/users/{id}`, without a query; nil without placeholders in it.
    package static func path(_ template: String?, below baseURL: URL) -> String? {
        guard let template else { return nil }
        let start = template.prefix(8).lowercased()
        let isAbsolute = start.hasPrefix("http://") || start == "https://"
        // Only a whole URL has a fragment.
        let path = template.prefix { $0 != "?" && !(isAbsolute && $0 == "#") }
        // After the scheme comes a host of at least one character.
        let own = isAbsolute ? path.dropFirst(8).drop { $0 != "/" } : path
        // All placeholders may be in the host.
        guard own.contains("{") else { return nil }
        let base = isAbsolute ? "" : baseURL.path
        let segments = base.split(separator: "/").map { "/\($0)" }.joined()
        return "\(segments)/\(own.drop { $0 == "/" })"
    }
}
