/// Fields that somebody else keeps, and that are only copied when they are all asked for.
///
/// Most responses are decoded without a look at more than one or two of their fields.
package final class DeferredFields: Sendable {
    private let find: @Sendable (String) -> String?
    private let list: @Sendable () -> [(String, String)]

    /// Makes fields.
    ///
    /// - Parameters:
    ///   - find: Gives the value of a name in any case.
    ///   - list: Gives all of them, each name once, with its values joined by commas.
    package init(
        find: @escaping @Sendable (String) -> String?,
        list: @escaping @Sendable () -> [(String, String)]
    ) {
        self.find = find
        self.list = list
    }

    /// The value of a name as ``HTTPHeaders`` gives it: of `Set-Cookie` the first.
    func value(of name: HTTPHeaderName) -> String? {
        name == .setCookie ? values(of: name).first : find(name.rawName)
    }

    /// The values of a name, as far as they can be told apart.
    func values(of name: HTTPHeaderName) -> [String] {
        find(name.rawName).map { Self.values(of: name, in: $0) } ?? []
    }

    /// A copy of all fields.
    var all: [HTTPHeaders.Field] {
        list()
            .flatMap { name, value in
                let name = HTTPHeaderName(name)
                return Self.values(of: name, in: value)
                    .map { HTTPHeaders.Field(name: name, value: $0, isSensitive: false) }
            }
    }

    private static func values(of name: HTTPHeaderName, in joined: String) -> [String] {
        name == .setCookie ? SetCookieFields.split(joined) : [joined]
    }
}
