import Foundation

extension Field {
    /// The field with the date or the address that the server made of it.
    ///
    /// - Parameters:
    ///   - step: The request that says so.
    ///   - response: A response with the server's time and path.
    /// - Returns: The field as it is in the response.
    func resolved(by step: Step, in response: StepResponse?) -> Field {
        let name = name.lowercased()
        if Self.dates.contains(name), case .number(let seconds) = value {
            let form: DateForm = step.obsoleteDates.contains(name) ? .rfc850 : .current
            let date = response?.number("Server-Now").map { form.text($0, plus: seconds) }
            return Field(self.name, .text(date ?? "Invalid Date"))
        }
        if Self.locations.contains(name), step.hasRelativeLocations {
            let base = response?["Server-Base-Url"] ?? "undefined"
            let isEmpty = text?.isEmpty ?? false
            return Field(self.name, .text(isEmpty ? base : "\(base)/\(value)"))
        }
        return self
    }

    private static let dates: Set<String> = [
        "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
    ]
    private static let locations: Set<String> = ["location", "content-location"]
}

/// How the server writes a date.
enum DateForm: String {
    case current = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    case rfc850 = "EEEE, dd-MMM-yy HH:mm:ss 'GMT'"

    /// Writes a date.
    ///
    /// - Parameters:
    ///   - milliseconds: The milliseconds since 1970.
    ///   - seconds: The seconds from there on.
    /// - Returns: The date, its fractions cut off.
    func text(_ milliseconds: Int, plus seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = rawValue
        let time = (Double(milliseconds) / 1000 + Double(seconds)).rounded(.down)
        return formatter.string(from: Date(timeIntervalSince1970: time))
    }
}
