import Foundation

/// The form of a date that a decoder expects, by its strategy.
struct DateForm {
    /// Creates the form if the part that failed to decode is a date.
    init?(_ step: DecodingTrace.Step) {
        guard step.type == Date.self else { return nil }
    }

    /// Creates the form if a decoding error concerns a date.
    ///
    /// JSONDecoder reports the type that a date is read as, which is `Double` by default.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - wanted: The type that it reports.
    ///   - trace: Finds the part that failed.
    init?(
        of error: DecodingError,
        wanted: any Any.Type,
        _ trace: () -> DecodingTrace.Step?
    ) {
        guard wanted == Double.self || wanted == String.self || wanted == Date.self,
            let step = trace()
        else { return nil }
        self.init(step)
    }

    /// Says what was expected and found, and what to set.
    ///
    /// - Parameters:
    ///   - found: The kind of the value, such as "a string".
    ///   - decoder: The decoder.
    /// - Returns: The problem, or nil for a strategy of the user's own, whose form isn't known.
    func problem(found: String?, using decoder: JSONDecoder) -> String? {
        let found = found ?? "something else"
        let isText = found == JSONKind.string.description
        let (form, strategy): (String, String)
        switch decoder.dateDecodingStrategy {
        case .deferredToDate: (form, strategy) = ("a number", ".deferredToDate")
        case .secondsSince1970: (form, strategy) = ("a number", ".secondsSince1970")
        case .millisecondsSince1970: (form, strategy) = ("a number", ".millisecondsSince1970")
        case .iso8601: (form, strategy) = ("ISO 8601 text", ".iso8601")
        // A formatter or a closure, which are one case on Linux.
        default: return nil
        }
        let other = isText && form != "a number" ? "\(found) of another form" : found
        let remedy =
            isText
            ? "; assign a decoder with another strategy, such as .snakeCaseISO8601"
            : "; assign a decoder with another strategy"
        return "expected a Date as \(form) (the decoder's dateDecodingStrategy is \(strategy)), "
            + "found \(other)\(remedy)"
    }
}
