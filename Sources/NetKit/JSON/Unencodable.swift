/// A value without a JSON form, with its type and its key path.
///
/// The key path grows as the error propagates outward.
package struct Unencodable: Error {
    let type: String
    private enum Step {
        case key(String)
        case index(Int)
    }

    private var reversedSteps: [Step] = []

    init(_ value: Any, at codingPath: [any CodingKey] = []) {
        self.init(type: Swift.type(of: value), at: codingPath)
    }

    init(type: Any.Type, at codingPath: [any CodingKey]) {
        self.type = "\(type)"
        reversedSteps = codingPath.reversed()
            .map { key in
                if let index = key.intValue, key.stringValue != String(index) {
                    .index(index)
                } else {
                    .key(key.stringValue)
                }
            }
    }

    func inside(key: String) -> Unencodable {
        var copy = self
        copy.reversedSteps.append(.key(key))
        return copy
    }

    func inside(index: Int) -> Unencodable {
        var copy = self
        copy.reversedSteps.append(.index(index))
        return copy
    }

    /// Returns the key path as text: `user.tags[2]`.
    package func keyPath(below start: String) -> String {
        var text = start
        for step in reversedSteps.reversed() {
            switch step {
            case .key(let key): text += text.isEmpty ? key : "." + key
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
