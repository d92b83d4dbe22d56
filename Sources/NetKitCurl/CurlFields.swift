internal import NetKit

/// The fields of a head as the bytes that arrived, until all of them are needed.
final class CurlFields: DeferredFields {
    /// The place of a field in the bytes.
    private struct Place {
        let start: Int
        let nameEnd: Int
        let end: Int
    }

    /// Collects fields that are known to be valid.
    struct Builder {
        private var bytes: [UInt8] = []
        private var places: [Place] = []

        mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
            if places.isEmpty {
                bytes.reserveCapacity(512)
                places.reserveCapacity(16)
            }
            let start = bytes.count
            bytes.append(contentsOf: name)
            let nameEnd = bytes.count
            bytes.append(contentsOf: value)
            places.append(Place(start: start, nameEnd: nameEnd, end: bytes.count))
        }

        /// Continues the last value on another line, which is no more than a space (RFC 9112, section 5.2).
        mutating func `continue`(_ value: UnsafeRawBufferPointer) {
            guard !value.isEmpty, let last = places.popLast() else { return }
            if last.nameEnd < last.end { bytes.append(0x20) }
            bytes.append(contentsOf: value)
            places.append(Place(start: last.start, nameEnd: last.nameEnd, end: bytes.count))
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
            let name = String(decoding: bytes[place.start..<place.nameEnd], as: UTF8.self)
            return (HTTPHeaderName(name), value(of: place))
        }
    }

    private func index(of name: HTTPHeaderName, from start: Int) -> Int? {
        let length = name.rawName.utf8.count
        return bytes.withUnsafeBytes { bytes in
            for index in start..<places.count {
                let place = places[index]
                guard place.nameEnd - place.start == length else { continue }
                let text = UnsafeRawBufferPointer(rebasing: bytes[place.start..<place.nameEnd])
                if name.matches(text) { return index }
            }
            return nil
        }
    }

    private func value(of place: Place) -> String {
        String(decoding: bytes[place.nameEnd..<place.end], as: UTF8.self)
    }
}
