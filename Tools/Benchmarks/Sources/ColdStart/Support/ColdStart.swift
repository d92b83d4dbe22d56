package import Foundation

/// A process that makes one call and ends, which the suite `cold` times.
///
/// With a number of calls as its second argument, it makes so many, one after the other. `bench instructions` counts them.
package enum ColdStart {
    /// What of the answer is decoded.
    package struct Item: Decodable, Sendable {
        let id: Int
        let name: String
    }

    /// The path of the item below the server's URL.
    package static let path = "item"

    /// Makes the calls to the server whose URL is the first argument, and ends the process.
    ///
    /// It writes `main` when it begins and `done` when the values are there. The main thread waits: an asynchronous main
    /// program leaves it in a system call that valgrind can't carry out.
    ///
    /// - Parameter client: Creates a client of the server, and returns its call.
    package static func run(_ client: (URL) -> @Sendable () async throws -> Item) -> Never {
        write("main")
        let arguments = CommandLine.arguments.dropFirst()
        guard let url = arguments.first.flatMap(URL.init(string:)) else { fail("no URL") }
        let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
        let call = client(url)
        Task.detached {
            do {
                for _ in 0..<count {
                    let item = try await call()
                    guard item.id == 9_007_199_254, item.name.hasPrefix("Folding") else {
                        fail("another item: \(item)")
                    }
                }
            } catch {
                fail("\(error)")
            }
            write("done")
            exit(0)
        }
        while true { pause() }
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("\(reason)\n".utf8))
        exit(1)
    }

    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
