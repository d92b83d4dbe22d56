public import Foundation
import NetKitSupport

extension JSONEncoder {
    /// An encoder that writes snake case keys: `createdAt` becomes `created_at`.
    ///
    /// Each access returns a new encoder.
    public static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }

    /// An encoder that writes snake case keys and ISO 8601 dates.
    ///
    /// Dates look like `2024-02-29T12:30:00Z`, with milliseconds if there are any. A date outside the years 0 to 9999
    /// throws an error. Each access returns a new encoder.
    public static var snakeCaseISO8601: JSONEncoder {
        let encoder = snakeCase
        encoder.dateEncodingStrategy = .withFractionsIfAny
        return encoder
    }
}

extension JSONDecoder {
    /// A decoder for snake case keys: `created_at` becomes `createdAt`.
    ///
    /// Each access returns a new decoder.
    public static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// A decoder for snake case keys and ISO 8601 dates.
    ///
    /// Dates such as `2024-02-29T12:30:00Z` can have fractions of a second, and offsets such as `+02:00`. Each access
    /// returns a new decoder.
    public static var snakeCaseISO8601: JSONDecoder {
        let decoder = snakeCase
        decoder.dateDecodingStrategy = .withOrWithoutFractions
        return decoder
    }
}
