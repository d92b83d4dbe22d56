package import Foundation

/// `url.template`: the path of a URL with placeholders in the place of its values.
package enum URLTemplate {
    /// Joins a request's template to the path of its endpoint.
    ///
    /// - Parameters:
    ///   - template: The path of the request, with its placeholders; nil without any. A whole URL counts from its path on.
    ///   - baseURL: The endpoint's.
    /// - Returns: An absolute path such as `/api/users/{id}`, without a query; nil without placeholders in it.
    package static func path(_ template: String?, below baseURL: URL) -> String? {
        guard let template else { return nil }
        let path = template.prefix { $0 != "?" && $0 != "#" }
        let joined: String
        if let scheme = path.range(of: "://") {
            guard let slash = path[scheme.upperBound...].firstIndex(of: "/") else { return nil }
            joined = String(path[slash...])
        } else {
            let base = baseURL.path.split(separator: "/").map { "/\($0)" }.joined()
            joined = "\(base)/\(path.drop { $0 == "/" })"
        }
        // Without one, it may be a concrete path whose placeholders were in the query.
        return joined.contains { $0 == "{" || $0 == ":" } ? joined : nil
    }
}
