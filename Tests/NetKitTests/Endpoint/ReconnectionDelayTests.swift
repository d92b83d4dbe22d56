import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Event source reconnection delay")
struct ReconnectionDelayTests {
    @Test(
        "doubles after each connection without an event, between floor and ceiling",
        arguments: [
            (3_000, [3_000, 6_000, 12_000, 24_000, 30_000, 30_000]),
            (0, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]),
            (-5, [100, 200]), (99, [100, 200]), (60_000, [60_000, 60_000]),
            (.max, [.max, .max]),
        ] as [(Int64, [Int64])]
    )
    func doubling(time: Int64, delays: [Int64]) {
        var delay = ReconnectionDelay(.milliseconds(time))
        let got = delays.map { _ in delay.next(broughtEvent: false) }
        #expect(got == delays.map { .milliseconds($0) })
    }

    @Test("resets after a connection with an event")
    func events() {
        var delay = ReconnectionDelay(.seconds(1))
        let connections = [false, false, true, true, false, false]
        let got = connections.map { delay.next(broughtEvent: $0) }
        #expect(got == [1, 2, 1, 1, 1, 2].map { .seconds($0) })
        delay.time = .seconds(5)
        #expect(delay.next(broughtEvent: true) == .seconds(5))
    }
}

@Suite("Event source reconnection")
struct ReconnectionTests {
    @Test(
        "happens after a transport error unless each connection would have it",
        arguments: [
            (.cannotFindHost, true), (.cannotConnect, true), (.connectionLost, true),
            (.notConnected, true), (.secureConnection, true), (.malformedResponse, true),
            (.truncatedResponse, true), (.responseTooLarge, false), (.tooManyRedirects, false),
            (.unsafeRedirect, false), (.unsupported, false), (.other, true),
        ] as [(TransportError.Kind, Bool)]
    )
    func kinds(kind: TransportError.Kind, isWorthwhile: Bool) {
        let error = TransportError(kind)
        let errors: [any Error] = [
            StreamFailure.transport(error), ErrorResponse<ServerMessage>.transport(error),
        ]
        for error in errors {
            #expect(Reconnection.isWorthwhile(after: error) == isWorthwhile)
        }
    }
}
