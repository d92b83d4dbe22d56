import ArgumentParser

/// A number of bytes, as `1048576`, `64MiB` or `1GiB`.
struct ByteCount: ExpressibleByArgument, Equatable {
    private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]

    let bytes: Int

    init(_ bytes: Int) {
        self.bytes = bytes
    }

    /// Nil for anything else, and for 0.
    init?(argument: String) {
        let (suffix, factor) = Self.units.first { argument.hasSuffix($0.0) } ?? ("", 1)
        guard let number = Int(argument.dropLast(suffix.count)), number > 0 else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String { description }
}

extension ByteCount: CustomStringConvertible {
    /// In the largest unit that makes it a whole number.
    var description: String {
        let unit = Self.units.first { bytes.isMultiple(of: $0.1) }
        return unit.map { "\(bytes / $0.1)\($0.0)" } ?? "\(bytes)"
    }
}
