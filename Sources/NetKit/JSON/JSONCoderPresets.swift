public import Foundation

extension JSONEncoder {
    /// An encoder that writes keys in snake case: `createdAt` as `created_at`.
    ///
    /// A new one each time, so that changing it changes nobody else's.
    public static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }

    /// An encoder that writes keys in snake case, and dates as `2024-02-29T12:30:00Z`, with milliseconds if there
    /// are any.
    ///
    /// A new one each time. A date outside the years 0 to 9999 is an error.
    public static var snakeCaseISO8601: JSONEncoder {
        let encoder = snakeCase
        encoder.dateEncodingStrategy = .withFractionsIfAny
        return encoder
    }
}

extension JSONDecoder {
    /// A decoder for keys in snake case: `created_at` is `createdAt`.
    ///
    /// A new one each time, so that changing it changes nobody else's.
    public static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// A decoder for keys in snake case, and dates such as `2024-02-29T12:30:00Z`, with or without fractions of a
    /// second.
    ///
    /// A new one each time. Offsets such as `+02:00` are understood.
    public static var snakeCaseISO8601: JSONDecoder {
        let decoder = snakeCase
        decoder.dateDecodingStrategy = .withOrWithoutFractions
        return decoder
    }
}

extension JSONEncoder.DateEncodingStrategy {
    fileprivate static let withFractionsIfAny = Self.custom { date, encoder in
        try ISO8601Text.encode(date, to: encoder)
    }
}

extension JSONDecoder.DateDecodingStrategy {
    fileprivate static let withOrWithoutFractions = Self.custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        for includesFractions in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: includesFractions)
            if let date = try? style.parse(text) { return date }
        }
        throw DecodingError.dataCorruptedError(
            in: container,
            debugDescription: "not a date as ISO 8601 writes it: \(text.debugDescription)"
        )
    }
}
