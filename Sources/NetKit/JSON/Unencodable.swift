/// A value without a JSON form was met; the way to it grows as the error passes outwards.
struct Unencodable: Error {
    private enum Step {
        case key(String)
        case index(Int)
    }

    private var reversedSteps: [Step] = []

    init() {}

    init(_ codingPath: [any CodingKey]) {
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

    /// The key path as it is shown: `user.tags[2]`.
    func keyPath(below start: String) -> String {
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
