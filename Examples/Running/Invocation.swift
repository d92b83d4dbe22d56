import Foundation

/// A parsed command line.
enum Invocation {
    case help
    case list
    case run([any Demonstration], baseURL: URL?, engine: Engine)

    static let usage = """
        Demonstrates NetKit. Each demonstration makes calls to a real HTTP server, prints the
        call, the bytes on the wire and the result, and checks the result.

        usage:
          swift run Examples                     runs all demonstrations
          swift run Examples NAME …              runs the named demonstrations
          swift run Examples list                lists the demonstrations. Beside other arguments, list
                                                 is the demonstration of that name
          swift run Examples --base-url URL …    uses another server with the paths of
                                                 httpbin.org, such as /get and /status/404
          swift run Examples --transport NAME …  uses another transport. Available:
                                                 \(engineNames)
          swift run Examples --help              prints this help

        Without --base-url, each demonstration starts its own server on 127.0.0.1.
        Exit status: 0 if all passed, 1 if one failed, 2 for incorrect usage.
        """

    private static var engineNames: String { allEngines.map(\.name).joined(separator: ", ") }

    /// Parses the arguments after the program's name.
    init(arguments: [String]) throws(WrongUsage) {
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help
        } else if arguments == ["list"] {
            self = .list
        } else {
            self = try Self.run(arguments)
        }
    }

    private static func run(_ arguments: [String]) throws(WrongUsage) -> Invocation {
        var chosen: [any Demonstration] = []
        var baseURL: URL?
        var engine = allEngines[0]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--base-url" {
                guard let text = rest.popFirst() else { throw WrongUsage("--base-url needs a URL") }
                baseURL = try url(text)
            } else if argument.hasPrefix("--base-url=") {
                baseURL = try url(String(argument.dropFirst("--base-url=".count)))
            } else if argument == "--transport" {
                engine = try self.engine(rest.popFirst() ?? "")
            } else if argument.hasPrefix("--transport=") {
                engine = try self.engine(String(argument.dropFirst("--transport=".count)))
            } else if argument.hasPrefix("-") {
                throw WrongUsage("unknown option: \(argument)")
            } else {
                chosen.append(try demonstration(argument))
            }
        }
        if baseURL != nil, let own = chosen.first(where: \.needsOwnServer) {
            throw WrongUsage("\(own.name) needs its own server: omit --base-url")
        }
        let demonstrations = chosen.isEmpty ? allDemonstrations : chosen
        return .run(demonstrations, baseURL: baseURL, engine: engine)
    }

    private static func engine(_ name: String) throws(WrongUsage) -> Engine {
        if let found = allEngines.first(where: { $0.name == name }) { return found }
        throw WrongUsage("--transport takes one of these names: \(engineNames)")
    }

    private static func url(_ text: String) throws(WrongUsage) -> URL {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { throw WrongUsage("\(text): not a base URL, such as http://host/path") }
        return url
    }

    private static func demonstration(_ name: String) throws(WrongUsage) -> any Demonstration {
        if let found = allDemonstrations.first(where: { $0.name == name }) { return found }
        let similar = NearestNames.of(name, among: allDemonstrations.map(\.name))
        let hint = similar.isEmpty ? "" : ". Did you mean \(similar.joined(separator: " or "))?"
        throw WrongUsage("unknown demonstration: \(name)\(hint)")
    }
}

/// An error in the command line.
struct WrongUsage: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
