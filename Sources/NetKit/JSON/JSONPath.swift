/// The way from the root of a JSON document to a node, by member names and array indices.
package struct JSONPath: Equatable, Sendable, CustomStringConvertible {
    /// One step: a member of an object or, if it is a number, an element of an array.
    package struct Step: Equatable, Sendable {
        /// The member's name.
        package let key: String
        /// The element's index, if the step can be one.
        package let index: Int?

        /// Makes a step; `key` is an index too if it consists of digits alone.
        package init(_ key: String) {
            self.key = key
            let isNumber = key.utf8.allSatisfy { (0x30...0x39).contains($0) }
            index = isNumber ? Int(key) : nil
        }

        /// Makes a step to a member, whatever its name.
        init(member name: String) {
            key = name
            index = nil
        }
    }

    /// The path of the whole document.
    package static let whole = JSONPath(steps: [])

    /// The steps from the root; none is the whole document.
    package let steps: [Step]

    /// Makes a path of `a/0/b`.
    ///
    /// Empty steps are skipped, so `""` and `/` are the whole document; as in a JSON Pointer (RFC 6901)
    /// `~1` is a slash within a name and `~0` a tilde.
    package init(_ text: String) {
        self.init(text, separator: "/")
    }

    /// Makes a path of `a.0.b` or of `a/0/b`; a text with a slash is taken for the latter.
    package init(dotted text: String) {
        self.init(text, separator: text.utf8.contains(UInt8(ascii: "/")) ? "/" : ".")
    }

    /// Makes a path of its steps.
    init(steps: [Step]) {
        self.steps = steps
    }

    private init(_ text: String, separator: Character) {
        steps = text.split(separator: separator)
            .map { step in
                guard step.utf8.contains(UInt8(ascii: "~")) else { return Step(String(step)) }
                // In this order, so that `~01` is `~1`.
                return Step(String(step).replacing("~1", with: "/").replacing("~0", with: "~"))
            }
    }

    /// The path as a coding path reads: `a[0].b`, empty for the whole document.
    package var description: String { Self.text(of: steps[...]) }

    /// The first `count` steps as a coding path reads.
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
