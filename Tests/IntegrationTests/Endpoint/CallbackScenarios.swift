import Dispatch
import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Callbacks", .timeLimit(.minutes(15)))
struct CallbackScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("POST", "/ok") { _ in .text("ok") }
        server.route("POST", "/no") { _ in .text("no", status: 404) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func request(_ path: String) -> TextRequest {
        TextRequest(path: path, method: .post, body: .string("body"))
    }

    /// Each closure of a kind is called, in the order added.
    @Test(
        "calls all handlers of a kind once, in the order they were added",
        arguments: [("ok", "success"), ("no", "failure")]
    )
    func order(path: String, outcome: String) async throws {
        let journal = Journal()
        let operation = request(path).execute(on: endpoint)
        for number in 1...3 {
            operation
                .onStart { journal.note("start \(number)") }
                .onDebug { _ in journal.note("debug \(number)") }
                .onSuccess { _ in journal.note("success \(number)") }
                .onFail { _ in journal.note("failure \(number)") }
        }
        _ = await callbackOutcome(of: operation)
        operation.onSuccess { _ in journal.end() }.onFail { _ in journal.end() }
        let entries = await journal.entries
        for kind in ["start", "debug", outcome] {
            let ofKind = entries.filter { $0.hasPrefix(kind) }
            #expect(ofKind == (1...3).map { "\(kind) \($0)" }, "\(entries)")
        }
        #expect(entries.count == 9)
    }

    /// Closures that come after the fact hear what happened.
    @Test("calls handlers added after the end", arguments: ["ok", "no"])
    func late(path: String) async throws {
        let operation = request(path).execute(on: endpoint)
        _ = await outcome(of: operation)
        let journal = Journal()
        operation
            .onStart { journal.note("start") }
            .onStart { journal.note("start \($0.request.path)") }
            .onProgress { journal.note("progress \($0)") }
            .onDebug { journal.note("debug \($0.stringResponse ?? "")") }
            .onSuccess { journal.note("success \($0)") }
            .onFail { journal.note("failure \($0.message)") }
            .onSuccess { _ in journal.end() }
            .onFail { _ in journal.end() }
        // Of a failure it is not said how far it came: nobody listened.
        let told =
            path == "ok" ? ["progress 1.0", "debug ok", "success ok"] : ["debug no", "failure no"]
        #expect(await journal.entries == ["start", "start \(path)"] + told)
    }

    /// The outcome is the last thing that is told to closures that were there in time: the call waits for
    /// those in front of the first `onSuccess`.
    @Test("reports progress and debug information before the outcome, and ends progress at 1")
    func sequence() async throws {
        let journal = Journal()
        request("ok").execute(on: endpoint)
            .onProgress { journal.note("progress \($0)") }
            .onDebug { _ in journal.note("debug") }
            .onSuccess { _ in
                journal.note("success")
                journal.end()
            }
            .onFail { error in
                journal.note("\(error)")
                journal.end()
            }
        let entries = await journal.entries
        #expect(entries.last == "success")
        #expect(entries.filter { $0 == "debug" }.count == 1)
        let progress = entries.compactMap { entry in
            entry.hasPrefix("progress ") ? Double(entry.dropFirst(9)) : nil
        }
        #expect(progress.last == 1)
        #expect(progress == Array(Set(progress)).sorted())
    }

    /// Nothing is lost of what came too late for its place.
    @Test("calls handlers added after the outcome with all earlier events")
    func behindTheOutcome() async throws {
        let journal = Journal()
        let (told, sink) = AsyncStream.makeStream(of: Void.self)
        let operation = request("ok").execute(on: endpoint)
            .onSuccess { _ in
                journal.note("success")
                sink.finish()
            }
        for await _ in told {}
        operation
            .onProgress { journal.note("progress \($0)") }
            .onDebug { _ in journal.note("debug") }
            .onSuccess { _ in journal.end() }
        #expect(await journal.entries == ["success", "progress 1.0", "debug"])
    }

    enum QueueChoice: CaseIterable, Sendable {
        case responseOn, shortSpelling, endpoint, concurrent
    }

    /// Every closure runs on the queue that was chosen.
    @Test("uses the chosen queue for every handler", arguments: QueueChoice.allCases, ["ok", "no"])
    func queue(choice: QueueChoice, path: String) async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(
            label: "test",
            attributes: choice == .concurrent ? .concurrent : []
        )
        queue.setSpecific(key: key, value: true)
        if choice == .endpoint { endpoint.responseQueue = queue }
        let operation = request(path).execute(on: endpoint)
        switch choice {
        case .responseOn, .concurrent: operation.response(on: queue)
        case .shortSpelling: operation.responseOn(queue)
        case .endpoint: break
        }
        let journal = Journal()
        let note: @Sendable (String) -> Void = { kind in
            let place = DispatchQueue.getSpecific(key: key) == true ? "queue" : "elsewhere"
            journal.note("\(kind) on \(place)")
        }
        operation
            .onStart { note("start") }
            .onProgress { _ in note("progress") }
            .onDebug { _ in note("debug") }
            .onSuccess { _ in note("outcome") }
            .onFail { _ in note("outcome") }
            .onSuccess { _ in journal.end() }
            .onFail { _ in journal.end() }
        let kinds = Set(await journal.entries)
        #expect(
            kinds == ["start on queue", "progress on queue", "debug on queue", "outcome on queue"]
        )
    }

    /// One closure at a time, also where the queue would run several.
    @Test("runs one handler at a time on a concurrent queue")
    func oneAtATime() async throws {
        let queue = DispatchQueue(label: "test", attributes: .concurrent)
        let journal = Journal()
        let operation = request("ok").execute(on: endpoint).response(on: queue)
        for number in 0..<20 {
            operation.onSuccess { _ in
                journal.note("in \(number)")
                journal.note("out \(number)")
            }
        }
        operation.onSuccess { _ in journal.end() }.onFail { _ in journal.end() }
        #expect(await journal.entries == (0..<20).flatMap { ["in \($0)", "out \($0)"] })
    }

    /// Without a choice they run where nothing has to serve a main queue.
    @Test("runs without a chosen queue or a running main queue")
    func defaultQueue() async throws {
        let operation = request("ok").execute(on: endpoint)
        #expect(await outcome(of: operation).value == "ok")
    }
}
