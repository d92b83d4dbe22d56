/// An answer that arrived and is not the one the server was made to give.
enum WrongAnswer: Error, CustomStringConvertible {
    case status(Int?)
    case value
    case length(Int)

    var description: String {
        switch self {
        case .status(let status): "answered with status \(status.map(String.init) ?? "none")"
        case .value: "the decoded value is not the one sent"
        case .length(let length): "\(length) bytes are not the length of what was to be transferred"
        }
    }
}
