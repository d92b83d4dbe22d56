import NetKitTesting

/// A string that breaks careless encoders, and what is awkward about it.
struct AwkwardString: Sendable {
    let family: String
    let text: String

    /// The string's bytes: `==` on strings takes NFC for NFD, and would not see one made the other.
    var bytes: [UInt8] { Array(text.utf8) }
}

extension AwkwardString: CustomStringConvertible {
    /// The family and the scalars, of long strings the first ones.
    var description: String {
        let scalars = text.unicodeScalars.prefix(24).map { $0.escaped(asASCII: true) }.joined()
        return "\(family): \"\(scalars)\" (\(text.utf8.count) bytes)"
    }
}

extension AwkwardString {
    /// All of them, each once.
    static let all: [AwkwardString] = {
        var known: Set<[UInt8]> = []
        return
            families.flatMap { family, texts in
                texts.map { AwkwardString(family: family, text: $0) }
            }
            .filter { known.insert($0.bytes).inserted }
    }()

    private static let families: [(String, [String])] = [
        ("nothing", [""]),
        ("control", controls),
        ("punctuation", punctuation),
        ("percent sign", percentSigns),
        ("delimiter", delimiters),
        ("space", spaces),
        ("direction", directions),
        ("emoji", emoji),
        ("plane", planes),
        ("combining mark", combiningMarks),
        ("normal form", normalForms),
        ("noncharacter", noncharacters),
        ("invisible", invisible),
        ("letter case", letterCase),
        ("SQL", sql),
        ("shell", shell),
        ("markup", markup),
        ("path", paths),
        ("header injection", headerInjections),
        ("format", formats),
        ("literal", literals),
        ("long", long),
        ("random ASCII", random(80, from: Array(0x20...0x7E), seed: 1)),
        ("random syntax", random(60, from: "%&=+#?/;\\\"'{}[]:@ \t2Ff".scalarValues, seed: 2)),
        ("random scalars", random(100, from: anyScalar, seed: 3)),
    ]

    private static func random(_ count: Int, from scalars: [UInt32], seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count)
            .map { _ in
                let length = Int.random(in: 1...16, using: &generator)
                let values = (0..<length)
                    .compactMap { _ in scalars.randomElement(using: &generator) }
                return String(scalarValues: values)
            }
    }
}

extension String {
    /// The string of some scalars; what is no scalar is left out.
    init(scalarValues: some Sequence<UInt32>) {
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: scalarValues.compactMap(Unicode.Scalar.init))
        self.init(scalars)
    }

    /// The values of the string's scalars.
    var scalarValues: [UInt32] { unicodeScalars.map(\.value) }
}
