/// Which way the bytes of a suite go, and what is asked of NetKit there.
enum TransferDirection: String, Sendable {
    case upload
    case download

    /// The most memory over the idle process that NetKit may take, in bytes.
    static let memoryLimit = 32 << 20

    /// The clients to measure, in the order of the report.
    var clients: [TransferClient] {
        TransferClient.allCases.filter { $0.direction == self }
    }

    /// The client that the others are compared with.
    var baseline: TransferClient {
        switch self {
        case .upload: .rawUploadTask
        case .download: .rawDownloadTask
        }
    }

    /// How many times the baseline's rate NetKit is to reach.
    var rateGoal: Double {
        switch self {
        case .upload: 5
        case .download: 1.2
        }
    }
}
