/// A value that may hold secrets: wherever it is printed, also inside of others and by `dump`, it shows its description.
protocol Concealed: CustomStringConvertible, CustomReflectable {}

extension Concealed {
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
