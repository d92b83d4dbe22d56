import Foundation

/// The command line.
struct Options: Sendable {
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: Soak MINUTES [OPTION…]
          --seed N            the seed of the operations, 1 by default
          --engine NAME       urlsession, curl or asynchttpclient; all by default
          --workers N         operations at a time over each engine, 10 by default
          --patience SECONDS  the time that operations have to end, 120 by default
          --write FILE        writes the results as JSON
          --plant DEFECT      plants a defect, which must be found: \
        \(Plant.allCases.map(\.rawValue).joined(separator: ", "))
        """

    var minutes = 0.0
    var seed: UInt64 = 1
    var engines = Engine.allCases
    var workers = 10
    var patience = Duration.seconds(120)
    var results: URL?
    var plant: Plant?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value<Value>(_ option: String, _ read: (String) -> Value?) throws -> Value {
            guard let text = rest.popFirst(), let value = read(text) else {
                throw Unusable(description: "\(option): an unusable value")
            }
            return value
        }
        minutes = try value("MINUTES") { Double($0).flatMap { $0 > 0 && $0 < 100_000 ? $0 : nil } }
        while let option = rest.popFirst() {
            switch option {
            case "--seed": seed = try value(option) { UInt64($0) }
            case "--engine": engines = [try value(option) { Engine(rawValue: $0) }]
            case "--workers": workers = try value(option) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--patience": patience = .seconds(try value(option) { UInt32($0) })
            case "--write": results = try value(option) { URL(fileURLWithPath: $0) }
            case "--plant": plant = try value(option) { Plant(rawValue: $0) }
            default: throw Unusable(description: "\(option): unknown")
            }
        }
    }
}
