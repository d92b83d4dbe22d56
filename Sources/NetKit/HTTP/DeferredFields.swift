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
    ///   - list: Gives all of them, each name once.
    package init(
        find: @escaping @Sendable (String) -> String?,
        list: @escaping @Sendable () -> [(String, String)]
    ) {
        self.find = find
        self.list = list
    }

    func value(of name: HTTPHeaderName) -> String? {
        find(name.rawName)
    }

    /// A copy of all fields.
    var all: [HTTPHeaders.Field] {
        list()
            .map { name, value in
                HTTPHeaders.Field(name: HTTPHeaderName(name), value: value, isSensitive: false)
            }
    }
}
