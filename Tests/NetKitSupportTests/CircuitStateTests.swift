import Foundation
import Testing

@testable import NetKitSupport

@Suite("Circuit state")
struct CircuitStateTests {
    private let settings = CircuitState.Settings(
        failureRatio: 0.5,
        minimumAttempts: 4,
        window: 100,
        pause: 50
    )

    private func circuit(_ outcomes: [Bool], at time: UInt64 = 0) -> CircuitState {
        var circuit = CircuitState()
        for failed in outcomes { circuit.end(failed, isProbe: false, at: time, settings) }
        return circuit
    }

    @Test(
        "opens after enough failures and a high enough failure rate",
        arguments: [
            ([true, true, true], false), ([true, true, true, true], true),
            ([false, true, false, true], true), ([false, true, false, false], false), ([], false),
        ]
    )
    func opening(outcomes: [Bool], isOpen: Bool) {
        var circuit = circuit(outcomes)
        #expect(circuit.begin(at: 10, settings) == (isOpen ? .refuse(40) : .pass))
    }

    @Test("opens after one failure at a ratio of 0, and after none")
    func noRatio() {
        var settings = settings
        settings.failureRatio = 0
        var circuit = CircuitState()
        for _ in 0..<4 { circuit.end(false, isProbe: false, at: 0, settings) }
        #expect(circuit.begin(at: 0, settings) == .pass)
        circuit.end(true, isProbe: false, at: 0, settings)
        #expect(circuit.begin(at: 0, settings) == .refuse(50))
    }

    @Test("forgets old failures")
    func window() {
        var circuit = circuit([true, true, true])
        circuit.end(true, isProbe: false, at: 100, settings)
        #expect(circuit.begin(at: 100, settings) == .pass)
    }

    @Test("keeps the attempts of the window when older ones are forgotten")
    func slidingWindow() {
        var circuit = CircuitState()
        for time in [1_000, 1_060, 1_060, 1_120] as [UInt64] {
            circuit.end(true, isProbe: false, at: time, settings)
        }
        #expect(circuit.begin(at: 1_120, settings) == .pass)
        circuit.end(true, isProbe: false, at: 1_130, settings)
        #expect(circuit.begin(at: 1_130, settings) == .refuse(50))
    }

    @Test("judges by the last 1,000 attempts")
    func many() {
        for successes in [500, 1_002] {
            for minimum in [4, 1_000] {
                var settings = settings
                settings.minimumAttempts = minimum
                var circuit = circuit(Array(repeating: false, count: successes))
                for _ in 0..<499 { circuit.end(true, isProbe: false, at: 0, settings) }
                #expect(circuit.begin(at: 0, settings) == .pass)
                circuit.end(true, isProbe: false, at: 0, settings)
                #expect(circuit.begin(at: 0, settings) == .refuse(50))
            }
        }
    }

    @Test("counts an attempt until the window ends, and reads no time as the end")
    func edges() {
        for (time, isOpen) in [(UInt64(99), true), (100, false)] {
            var circuit = circuit([true, true, true])
            circuit.end(true, isProbe: false, at: time, settings)
            #expect((circuit.begin(at: time, settings) != .pass) == isOpen)
        }
    }

    @Test("admits one attempt after the pause, then closes or opens again")
    func probing() {
        var circuit = circuit([true, true, true, true])
        #expect(circuit.begin(at: 50, settings) == .probe)
        #expect(circuit.begin(at: 50, settings) == .refuse(50))
        circuit.end(true, isProbe: true, at: 60, settings)
        #expect(circuit.begin(at: 109, settings) == .refuse(1))
        #expect(circuit.begin(at: 110, settings) == .probe)
        circuit.end(nil, isProbe: true, at: 111, settings)
        #expect(circuit.begin(at: 111, settings) == .probe)
        circuit.end(false, isProbe: true, at: 112, settings)
        #expect(circuit.begin(at: 112, settings) == .pass)
        // The probe counts for nothing more.
        for _ in 0..<3 { circuit.end(true, isProbe: false, at: 113, settings) }
        #expect(circuit.begin(at: 113, settings) == .pass)
        circuit.end(true, isProbe: false, at: 113, settings)
        #expect(circuit.begin(at: 113, settings) == .refuse(50))
    }

    @Test("admits another attempt when a probe lasts longer than the pause")
    func longProbe() {
        var circuit = circuit([true, true, true, true])
        #expect(circuit.begin(at: 50, settings) == .probe)
        #expect(circuit.begin(at: 99, settings) == .refuse(1))
        #expect(circuit.begin(at: 100, settings) == .probe)
        #expect(circuit.begin(at: 149, settings) == .refuse(1))
        circuit.end(false, isProbe: true, at: 149, settings)
        #expect(circuit.begin(at: 149, settings) == .pass)
        // The first probe, a stream, is lost much later.
        circuit.end(true, isProbe: true, at: 10_000, settings)
        #expect(circuit.begin(at: 10_000, settings) == .pass)
    }

    @Test("closes after a probe that succeeds, although an older one failed meanwhile")
    func olderProbe() {
        var circuit = circuit([true, true, true, true])
        #expect(circuit.begin(at: 50, settings) == .probe)
        #expect(circuit.begin(at: 100, settings) == .probe)
        circuit.end(true, isProbe: true, at: 101, settings)
        #expect(circuit.begin(at: 102, settings) == .refuse(49))
        circuit.end(false, isProbe: true, at: 103, settings)
        #expect(circuit.begin(at: 104, settings) == .pass)
    }

    @Test("is idle once its outcomes are too old to count, or its probe is long overdue")
    func idle() {
        #expect(CircuitState().isIdle(at: 0, settings))
        #expect(!circuit([false]).isIdle(at: 99, settings))
        #expect(circuit([false]).isIdle(at: 100, settings))
        var failing = circuit([true, true, true, true])
        #expect(!failing.isIdle(at: 0, settings))
        #expect(!failing.isIdle(at: 1_049, settings))
        #expect(failing.isIdle(at: 1_050, settings))
        #expect(failing.begin(at: 1_050, settings) == .probe)
        #expect(!failing.isIdle(at: 2_099, settings))
        #expect(failing.isIdle(at: 2_100, settings))
        var patient = settings
        patient.pause = 200
        #expect(!failing.isIdle(at: 3_099, patient))
        #expect(failing.isIdle(at: 3_100, patient))
    }

    @Test("is kept among many hosts until it is idle, and counts an attempt that began before")
    func manyHosts() throws {
        var circuits = Circuits(settings)
        let failing = try #require(URL(string: "http://failing").flatMap { Origin($0) })
        let slow = try #require(URL(string: "http://slow").flatMap { Origin($0) })
        for _ in 0..<4 { #expect(circuits.begin(slow, at: 0) == .pass) }
        for number in 0..<1_000 {
            let other = try #require(URL(string: "http://h\(number)").flatMap { Origin($0) })
            let time = UInt64(number) * 10
            #expect(circuits.begin(other, at: time) == .pass)
            circuits.end(other, false, isProbe: false, at: time)
            guard number == 900 else { continue }
            for _ in 0..<4 { circuits.end(failing, true, isProbe: false, at: time) }
        }
        #expect(circuits.count <= 64)
        for _ in 0..<4 { circuits.end(slow, true, isProbe: false, at: 10_000) }
        #expect(circuits.begin(slow, at: 10_000) == .refuse(50))
        #expect(circuits.begin(failing, at: 10_000) == .probe)
    }

    @Test("is forgotten among many hosts that failed and aren't asked again")
    func manyFailures() throws {
        var circuits = Circuits(settings)
        for number in 0..<1_000 {
            let host = try #require(URL(string: "http://h\(number)").flatMap { Origin($0) })
            let time = UInt64(number) * 100
            #expect(circuits.begin(host, at: time) == .pass)
            for _ in 0..<4 { circuits.end(host, true, isProbe: false, at: time) }
            #expect(circuits.begin(host, at: time) == .refuse(50))
        }
        #expect(circuits.count <= 64)
    }
}
