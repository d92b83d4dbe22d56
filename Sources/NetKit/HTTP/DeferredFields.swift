import NetKitSupport

/// Header fields that stay in another form until all of them are needed.
///
/// Decoding most responses reads only one or two fields.
package protocol DeferredFields: AnyObject, Sendable {
    /// Returns the value of a field as ``HTTPHeaders`` does: several joined, for `Set-Cookie` the first.
    func value(of name: HTTPHeaderName) -> String?

    /// Returns the values of a field, as far as they can be separated.
    func values(of name: HTTPHeaderName) -> [String]

    /// A copy of all fields, in order as far as it is known.
    var all: [(name: HTTPHeaderName, value: String)] { get }
}

/// Fields of an object that joins those of the same name, such as `HTTPURLResponse`.
///
/// A field whose value isn't safe to use, see ``CombiningMarks``, counts as absent.
package final class JoinedFields: DeferredFields {
    private let find: @Sendable (String) -> String?
    private let list: @Sendable () -> [(String, String)]

    /// Creates deferred fields.
    ///
    /// - Parameters:
    ///   - find: A closure that returns the value of a field, given its name in any case.
    ///   - list: A closure that returns all fields: each name once, its values joined by commas.
    package init(
        find: @escaping @Sendable (String) -> String?,
        list: @escaping @Sendable () -> [(String, String)]
    ) {
        self.find = { find($0).flatMap { Self.isSafe($0) ? $0 : nil } }
        self.list = { list().filter { Self.isSafe($1) } }
    }

    package func value(of name: HTTPHeaderName) -> String? {
        name == .setCookie ? values(of: name).first : find(name.rawName)
    }

    package func values(of name: HTTPHeaderName) -> [String] {
        find(name.rawName).map { Self.values(of: name, in: $0) } ?? []
    }

    package var all: [(name: HTTPHeaderName, value: String)] {
        list()
            .flatMap { name, value in
                let name = HTTPHeaderName(name)
                return Self.values(of: name, in: value).map { (name, $0) }
            }
    }

    private static func isSafe(_ value: String) -> Bool {
        !CombiningMarks.areTooMany(in: value.utf8)
    }

    private static func values(of name: HTTPHeaderName, in joined: String) -> [String] {
        name == .setCookie ? SetCookieFields.split(joined) : [joined]
    }
}
