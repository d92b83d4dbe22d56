/// A path to a node in a JSON document, by names and indices.
package struct JSONPath: Equatable, Sendable, CustomStringConvertible {
    /// A step in a path: an object's member or, for a number, an array's element.
    package struct Step: Equatable, Sendable {
        /// The member's name.
        package let key: String
        /// The element's index, or nil if the key isn't a number.
        package let index: Int?

        /// Creates a step.
        ///
        /// If `key` consists of digits, it is also an index.
        package init(_ key: String) {
            self.key = key
            let isNumber = key.utf8.allSatisfy { (0x30...0x39).contains($0) }
            index = isNumber ? Int(key) : nil
        }

        /// Creates a step to a member, even if its name is a number.
        init(member name: String) {
            key = name
            index = nil
        }
    }

    /// The path of the whole document.
    package static let whole = JSONPath(steps: [])

    /// The steps from the root, empty for the whole document.
    package let steps: [Step]

    /// Creates a path from a text such as `a/0/b`.
    ///
    /// Empty steps are skipped, so `""` and `/` mean the whole document. As in a JSON Pointer (RFC 6901), `~1` is a
    /// slash in a name, and `~0` is a tilde.
    package init(_ text: String) {
        self.init(text, separator: "/")
    }

    /// Creates a path from `a.0.b`, or from `a/0/b` if it contains a slash.
    package init(dotted text: String) {
        self.init(text, separator: text.utf8.contains(UInt8(ascii: "/")) ? "/" : ".")
    }

    /// Creates a path from its steps.
    init(steps: [Step]) {
        self.steps = steps
    }

    private init(_ text: String, separator: Character) {
        steps = text.split(separator: separator)
            .map { step in
                guard step.utf8.contains(UInt8(ascii: "~")) else { return Step(String(step)) }
                // In this order, so that `~01` becomes `~1`.
                return Step(String(step).replacing("~1", with: "/").replacing("~0", with: "~"))
            }
    }

    /// The path in the format of a coding path: `a[0].b`, or empty for the whole document.
    package var description: String { Self.text(of: steps[...]) }

    /// Returns the first `count` steps in the format of a coding path.
    package func prefix(_ count: Int) -> String { Self.text(of: steps.prefix(count)) }

    private static func text(of steps: ArraySlice<Step>) -> String {
        var text = ""
        for step in steps {
            if let index = step.index {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? step.key : "." + step.key
            }
        }
        return text
    }
}
