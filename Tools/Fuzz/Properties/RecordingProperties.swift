import Foundation

@testable import NetKit
@testable import NetKitHAR
@testable import NetKitTesting

extension FuzzTarget {
    static let recordings = [
        FuzzTarget("har", RecordingProperties.har),
        FuzzTarget("har-date", RecordingProperties.date),
        FuzzTarget("server", ServerProperties.requests),
        FuzzTarget("stub", hasFirstLine: true, ServerProperties.stub),
    ]
}

/// Recordings that are loaded to be replayed.
private enum RecordingProperties {
    /// A log reads back as it is written, and each of its entries can be replayed or says why not.
    static func har(_ input: FuzzInput) throws {
        guard let har = accepted(try HAR(data: input.data)) else { return }
        for entry in har.entries {
            _ = accepted(try entry.steps())
            let request = ReplayedRequest(entry.request, redacting: .secrets)
            try expect(request.equals(request), "a request is itself")
            try expect(request.resembles(request), "a request resembles itself")
        }
        _ = ReplayTransport(har).unusedRequests
        // Foundation reads the dates before in another calendar than that in which they are written.
        guard har.entries.allSatisfy({ $0.start >= firstDate }) else { return }
        if let written = accepted(try har.data()) {
            let again = accepted(try HAR(data: written))
            try expect(again, is: har, "what is written reads back")
        }
    }

    /// The day on which the Gregorian calendar began.
    private static let firstDate = Date(timeIntervalSince1970: -12_219_292_800)

    /// A date reads back as it is written.
    static func date(_ input: FuzzInput) throws {
        guard let date = HARDate(input.text), date.date >= firstDate else { return }
        guard let written = date.json.stringValue else { return }
        try expect(HARDate(written), is: date, "what is written reads back")
    }
}
