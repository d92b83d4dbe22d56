import Foundation

/// Runs mixed work over both engines against a faulty server, and checks that nothing is lost, mixed up or leaked.
@main
enum SoakCommand {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments == ["serve"] { return try ServerProcess.serve() }
            let options = try Options(arguments)
            let result = try await SoakRun(options).run()
            let report = Report(result, options)
            print(report.text)
            if let file = options.results { try report.write(to: file) }
            // Operations without an end are still waiting.
            exit(result.breaches.isEmpty ? 0 : 1)
        } catch let error as Options.Unusable {
            print("\(error)\n\(Options.usage)")
            exit(2)
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
