import Foundation
import Testing

@testable import NetKit
import NetKitSupport

@Suite("Exchange", .timeLimit(.minutes(15)))
struct ExchangeTests {
    private struct Get: Request {
        typealias ResponseObjectType = Void
        let path = "x"
    }

    /// Stops the call before `send` returns.
    private struct StoppingTransport: Transport {
        let lower: ScriptedTransport
        let control: CallControl?

        func send(
            _ request: EncodedRequest,
            to receiver: any TransportReceiver
        ) -> any TransportExchange {
            defer { control?.stop(.cancelled) }
            return lower.send(request, to: receiver)
        }
    }

    @Test(
        "cancels what the transport returns once the exchange is over",
        arguments: [
            ([.started, .head(ResponseHead(status: 200)), .body(Data(count: 9))], false),
            ([.started], true), ([], true),
        ] as [([TransportEvent], Bool)]
    )
    func early(events: [TransportEvent], isStopped: Bool) async throws {
        let clock = DeadlineClock(manual: ())
        let control = CallControl(clock: clock)
        let plan = CallPlan(inMemory: Get())
        let exchange = Exchange(
            of: EncodedRequest(
                url: try #require(URL(string: "http://nowhere.invalid/x")),
                method: .get
            ),
            in: CallContext(control: control, reporter: nil, plan: plan),
            limits: ExchangeLimits(maximumResponseSize: 8, idleTimeout: .seconds(8))
        )
        let transport = ScriptedTransport(events)
        let outcome = await exchange.run(
            over: StoppingTransport(lower: transport, control: isStopped ? control : nil)
        )
        switch outcome {
        case .failure(.cancelled): #expect(isStopped)
        case .failure(.transport(let error)): #expect(!isStopped && error.kind == .responseTooLarge)
        default: Issue.record("\(outcome)")
        }
        #expect(transport.cancelled == 1)
    }

    @Test("ends at once when its timeout is changed to one that has passed")
    func passedTimeout() async throws {
        let clock = DeadlineClock(manual: ())
        let control = CallControl(clock: clock)
        let exchange = Exchange(
            of: EncodedRequest(
                url: try #require(URL(string: "http://nowhere.invalid/x")),
                method: .get
            ),
            in: CallContext(control: control, reporter: nil, plan: CallPlan(inMemory: Get())),
            limits: ExchangeLimits(maximumResponseSize: 8, idleTimeout: .seconds(60))
        )
        async let outcome = exchange.run(over: ScriptedTransport([.started]))
        await eventually { clock.count == 1 }
        clock.advance(by: .seconds(9))
        control.update { $0.idleTimeout = .seconds(8) }
        // Otherwise nothing ends it.
        if clock.count > 0 { control.stop(.cancelled) }
        guard case .failure(.timeout(.idle)) = await outcome else {
            Issue.record("no timeout")
            return
        }
    }
}
