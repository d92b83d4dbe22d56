import Foundation

/// What the command line asks for.
enum Invocation {
    case help
    case list
    case run([any Demonstration], baseURL: URL?, engine: Engine)

    static let usage = """
        Shows what NetKit does: each demonstration makes calls to a real HTTP server, prints what
        was asked, what went over the wire and what came back, and checks that it is right.

        usage:
          swift run Examples                     runs all
          swift run Examples NAME …              runs these
          swift run Examples list                says which there are
          swift run Examples --base-url URL …    runs against another server that has the paths of
                                                 httpbin.org, such as /get and /status/404
          swift run Examples --transport NAME …  sends over another transport; there are here:
                                                 \(engineNames)
          swift run Examples --help              prints this

        Without --base-url each demonstration has a server of its own on 127.0.0.1.
        Exit status: 0 if all behaved, 1 if one did not, 2 for wrong usage.
        """

    private static var engineNames: String { allEngines.map(\.name).joined(separator: ", ") }

    /// Reads the command line's arguments, without the program's name.
    init(arguments: [String]) throws(WrongUsage) {
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help
        } else if arguments.contains("list") {
            guard arguments.count == 1 else { throw WrongUsage("list takes no other arguments") }
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
                throw WrongUsage("there is no option \(argument)")
            } else {
                chosen.append(try demonstration(argument))
            }
        }
        if baseURL != nil, let own = chosen.first(where: \.needsOwnServer) {
            throw WrongUsage("\(own.name) needs its own server: leave --base-url out")
        }
        let demonstrations = chosen.isEmpty ? allDemonstrations : chosen
        return .run(demonstrations, baseURL: baseURL, engine: engine)
    }

    private static func engine(_ name: String) throws(WrongUsage) -> Engine {
        if let found = allEngines.first(where: { $0.name == name }) { return found }
        throw WrongUsage("--transport is one of these: \(engineNames)")
    }

    private static func url(_ text: String) throws(WrongUsage) -> URL {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { throw WrongUsage("\"\(text)\" is no base URL; one looks like http://host/path") }
        return url
    }

    private static func demonstration(_ name: String) throws(WrongUsage) -> any Demonstration {
        if let found = allDemonstrations.first(where: { $0.name == name }) { return found }
        let similar = NearestNames.of(name, among: allDemonstrations.map(\.name))
        let hint = similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: " or "))?"
        throw WrongUsage("there is no demonstration \"\(name)\"\(hint)")
    }
}

/// A command line that makes no sense.
struct WrongUsage: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
