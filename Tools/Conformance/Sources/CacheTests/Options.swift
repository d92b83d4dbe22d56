import Foundation

/// What the command line says.
struct Options {
    var tests: URL
    var server: URL
    var cache = CacheSetting.memory
    var engine = Engine.urlSession
    /// The one test to run, with all that is sent and received.
    var id: String?
    var minimumRequired = 0
    var minimumOptimal = 0

    static let usage = """
        usage: cache-tests --tests FILE --server URL [OPTION…]
          --disk FOLDER           runs the tests through a cache on disk, not in memory
          --baseline              runs them without a cache
          --engine NAME           what sends the requests: urlsession, curl or asynchttpclient
          --id TEST               runs one test, and prints what is sent and received
          --minimum-required N    fails if fewer required tests pass
          --minimum-optimal N     fails if fewer optimal tests pass
        """

    /// Reads the arguments.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: ``UnknownForm`` if they are not as ``usage`` says.
    init(_ arguments: [String]) throws(UnknownForm) {
        var rest = arguments[...]
        var (tests, server): (URL?, URL?)
        while let option = rest.popFirst() {
            if option == "--baseline" {
                cache = .none
                continue
            }
            let value = try rest.popFirst().orMissing("the value of \(option)")
            switch option {
            case "--tests": tests = URL(fileURLWithPath: value)
            case "--server": server = URL(string: value)
            case "--disk": cache = .disk(URL(fileURLWithPath: value, isDirectory: true))
            case "--engine":
                engine = try Engine(rawValue: value).orMissing("an engine called \(value)")
            case "--id": id = value
            case "--minimum-required": minimumRequired = try Int(value).orMissing(option)
            case "--minimum-optimal": minimumOptimal = try Int(value).orMissing(option)
            default: throw UnknownForm("\(option) \(value): unknown")
            }
        }
        self.tests = try tests.orMissing("--tests")
        self.server = try server.orMissing("--server")
    }
}
