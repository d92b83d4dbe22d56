import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Encoder strategies of fields")
struct FieldStyleTests {
    private struct Holder<Value: Encodable>: Encodable {
        let someValue: Value
    }

    private func text(_ value: some Encodable, _ encoder: JSONEncoder) throws -> String {
        try FlatFields.fields(
            of: Holder(someValue: value),
            encoder: encoder,
            encoding: URLEncoding()
        )
        .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private func encoder(_ change: (JSONEncoder) -> Void) -> JSONEncoder {
        let encoder = JSONEncoder()
        change(encoder)
        return encoder
    }

    @Test("writes dates by the encoder's strategy")
    func dates() throws {
        let date = Date(timeIntervalSince1970: 1_709_209_800.25)
        #expect(
            try text(date, encoder { $0.dateEncodingStrategy = .secondsSince1970 })
                == "someValue=1709209800.25"
        )
        #expect(
            try text(date, encoder { $0.dateEncodingStrategy = .millisecondsSince1970 })
                == "someValue=1709209800250"
        )
        // As the URL encoding does, with milliseconds.
        #expect(
            try text(date, encoder { $0.dateEncodingStrategy = .iso8601 })
                == "someValue=2024-02-29T12:30:00.250Z"
        )
    }

    @Test("names the key path of a date without a text form")
    func unwritableDates() {
        for strategy in [JSONEncoder.DateEncodingStrategy.secondsSince1970, .millisecondsSince1970]
        {
            let encoder = encoder { $0.dateEncodingStrategy = strategy }
            let error = #expect(throws: InvalidRequest.self) {
                try text(["a": Date(timeIntervalSince1970: .infinity)], encoder)
            }
            #expect(error?.reason == .unencodableBody("someValue.a"))
        }
    }

    @Test("writes data by the encoder's strategy")
    func data() throws {
        let data = Data([1, 255])
        #expect(
            try text(data, encoder { $0.dataEncodingStrategy = .deferredToData })
                == "someValue[]=1&someValue[]=255"
        )
        let custom = encoder {
            $0.dataEncodingStrategy = .custom { data, encoder in
                var container = encoder.unkeyedContainer()
                try container.encode("\(data.count) bytes")
                try container.encode(encoder.codingPath.map(\.stringValue).joined())
            }
        }
        #expect(try text(data, custom) == "someValue[]=2 bytes&someValue[]=someValue")
    }

    @Test("writes numbers that aren't finite only by the encoder's strategy")
    func nonConformingNumbers() throws {
        let lenient = encoder {
            $0.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+",
                negativeInfinity: "-",
                nan: "?"
            )
        }
        #expect(
            try text([Double.infinity, -.infinity, .nan, 1], lenient)
                == "someValue[]=+&someValue[]=-&someValue[]=?&someValue[]=1"
        )
        #expect(try text(-Float.infinity, lenient) == "someValue=-")
        for number in [Float.infinity, -.infinity, .nan] {
            let error = #expect(throws: InvalidRequest.self) { try text(number, JSONEncoder()) }
            #expect(error?.reason == .unencodableBody("someValue"))
        }
    }

    @Test("converts keys by a custom strategy, which sees the whole path")
    func customKeys() throws {
        let encoder = encoder {
            $0.keyEncodingStrategy = .custom { path in
                FieldKey(path.map(\.stringValue).joined(separator: "/").uppercased())
            }
        }
        #expect(try text(Holder(someValue: 1), encoder) == "SOMEVALUE[SOMEVALUE/SOMEVALUE]=1")
    }
}
