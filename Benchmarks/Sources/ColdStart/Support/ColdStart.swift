package import Foundation

/// A process that makes one call and ends: what the suite `cold` times.
package enum ColdStart {
    /// What of the answer is decoded.
    package struct Item: Decodable, Sendable {
        let id: Int
        let name: String
    }

    /// The path of the item below the server's URL.
    package static let path = "item"

    /// Makes a call to the server whose URL is the first argument.
    ///
    /// It writes `main` when it begins and `done` when the value is there.
    package static func run(_ call: (URL) async throws -> Item) async throws {
        write("main")
        guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
            throw WrongStart.noURL
        }
        let item = try await call(url)
        guard item.id == 9_007_199_254, item.name.hasPrefix("Folding") else {
            throw WrongStart.wrongItem
        }
        write("done")
    }

    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

private enum WrongStart: Error {
    case noURL
    case wrongItem
}
