/// A value that may hold secrets: wherever it is printed, also inside of others and by `dump`, it shows its description.
protocol Concealed: CustomStringConvertible, CustomReflectable {}

extension Concealed {
    public var customMirror: Mirror {
        @inline(never)
        @_semantics("optimize.sil.specialize.generic.never")
        get { Mirror(self, children: ["description": description]) }
    }
}
