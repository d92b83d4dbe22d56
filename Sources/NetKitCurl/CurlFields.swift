internal import NetKit

/// The fields of a head as the bytes that arrived, until all of them are needed.
final class CurlFields: DeferredFields {
    /// The place of a field in the bytes, of which the reader bounds the number.
    private struct Place {
        let start: Int32
        let nameEnd: Int32
        let valueStart: Int32
        let end: Int32

        var name: Range<Int> { Int(start)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(end) }
    }

    /// Collects fields that are known to be valid.
    struct Builder {
        private var bytes: [UInt8] = []
        private var places: [Place] = []

        /// Appends a field.
        ///
        /// - Parameters:
        ///   - line: The line that it begins.
        ///   - nameEnd: The end of the name in the line.
        ///   - value: The place of the value in the line.
        mutating func append(_ line: UnsafeRawBufferPointer, nameEnd: Int, value: Range<Int>) {
            if places.isEmpty {
                bytes.reserveCapacity(512)
                places.reserveCapacity(16)
            }
            let start = Int32(truncatingIfNeeded: bytes.count)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[..<value.upperBound]))
            places.append(
                Place(
                    start: start,
                    nameEnd: start + Int32(truncatingIfNeeded: nameEnd),
                    valueStart: start + Int32(truncatingIfNeeded: value.lowerBound),
                    end: start + Int32(truncatingIfNeeded: value.upperBound)
                )
            )
        }

        /// Continues the last value on another line, which is no more than a space (RFC 9112, section 5.2).
        mutating func `continue`(_ value: UnsafeRawBufferPointer) {
            guard !value.isEmpty, let last = places.popLast() else { return }
            if !last.value.isEmpty { bytes.append(0x20) }
            bytes.append(contentsOf: value)
            places.append(
                Place(
                    start: last.start,
                    nameEnd: last.nameEnd,
                    valueStart: last.valueStart,
                    end: Int32(truncatingIfNeeded: bytes.count)
                )
            )
        }

        func build() -> CurlFields { CurlFields(bytes, places) }
    }

    private let bytes: [UInt8]
    private let places: [Place]

    private init(_ bytes: [UInt8], _ places: [Place]) {
        self.bytes = bytes
        self.places = places
    }

    func value(of name: HTTPHeaderName) -> String? {
        guard let first = index(of: name, from: 0) else { return nil }
        guard name != .setCookie, index(of: name, from: first + 1) != nil else {
            return value(of: places[first])
        }
        return HTTPHeaders.joined(values(of: name), of: name)
    }

    func values(of name: HTTPHeaderName) -> [String] {
        var values: [String] = []
        var next = index(of: name, from: 0)
        while let index = next {
            values.append(value(of: places[index]))
            next = self.index(of: name, from: index + 1)
        }
        return values
    }

    var all: [(name: HTTPHeaderName, value: String)] {
        places.map { place in
            let name = String(decoding: bytes[place.name], as: UTF8.self)
            return (HTTPHeaderName(name), value(of: place))
        }
    }

    private func index(of name: HTTPHeaderName, from start: Int) -> Int? {
        let length = name.rawName.utf8.count
        return bytes.withUnsafeBytes { bytes in
            for index in start..<places.count {
                let place = places[index]
                guard place.name.count == length else { continue }
                if name.matches(UnsafeRawBufferPointer(rebasing: bytes[place.name])) {
                    return index
                }
            }
            return nil
        }
    }

    private func value(of place: Place) -> String {
        String(decoding: bytes[place.value], as: UTF8.self)
    }
}
