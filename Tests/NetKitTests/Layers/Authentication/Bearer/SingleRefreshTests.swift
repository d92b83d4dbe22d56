import Testing

@testable import NetKit

/// Calls, a server and a source of tokens, all of them values, in any order of events.
///
/// Every call: asks before it is sent, is answered by whether its token is the one the server takes now,
/// and asks once more when it was refused. The one refresh that may run succeeds or fails.
private struct Simulation {
    enum CallStep {
        case created, waitingToSend, sent(token: String?, epoch: Int), refused(
            token: String?,
            epoch: Int
        )
        case waitingToResend(token: String?), resent(token: String?), ended(String)

        var isOver: Bool { if case .ended = self { true } else { false } }
    }

    var random: SplitMix
    var state: SingleRefresh<Int>
    var calls: [CallStep]
    var serverToken = 0
    var refreshOf: String??
    var refreshed: [String] = []
    var isRefreshRunning = false
    var problems: [String] = []
    var sends = 0

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        state = SingleRefresh(BearerToken("0"))
        calls = []
        let count = Int.random(in: 1...20, using: &random)
        calls = Array(repeating: .created, count: count)
        // Half of the time the token that the client has is out of date from the beginning.
        if Bool.random(using: &random) { serverToken = 1 }
    }

    mutating func run() {
        var steps = 0
        while calls.contains(where: { !$0.isOver }) {
            steps += 1
            guard steps < 10_000 else { return problems.append("it does not end: \(calls)") }
            // Rarely the server throws all tokens away.
            if Int.random(in: 0..<60, using: &random) == 0, steps < 200 { serverToken += 1 }
            if isRefreshRunning, Int.random(in: 0..<6, using: &random) == 0 { finishRefresh() }
            let index = Int.random(in: calls.indices, using: &random)
            advance(index)
            if !state.isRefreshing, state.waiterCount > 0 {
                problems.append("a caller waits for nothing")
            }
            if !isRefreshRunning, calls.allSatisfy({ $0.isOver || $0.isWaiting }),
                calls.contains(where: \.isWaiting)
            {
                return problems.append("all wait and none refreshes: \(calls)")
            }
        }
        if isRefreshRunning { finishRefresh() }
        if sends > 2 * calls.count { problems.append("\(sends) sends for \(calls.count) calls") }
    }

    private mutating func advance(_ index: Int) {
        // Anybody may be cancelled at any time; whoever waits leaves the waiter behind.
        if !calls[index].isOver, Int.random(in: 0..<40, using: &random) == 0 {
            calls[index] = .ended("cancelled")
            return
        }
        switch calls[index] {
        case .created:
            let step = state.beforeSending { _ in false }
            take(step, index, used: nil, isFirst: true)
        case .sent(let token, let epoch):
            calls[index] =
                token == "\(serverToken)" ? .ended("200") : .refused(token: token, epoch: epoch)
        case .refused(let token, let epoch):
            let step = state.afterRefusal(of: token, at: epoch)
            take(step, index, used: token, isFirst: false)
        case .resent(let token):
            calls[index] = .ended(token == "\(serverToken)" ? "200" : "401")
        case .waitingToSend, .waitingToResend, .ended: break
        }
    }

    private mutating func take(
        _ step: SingleRefresh<Int>.Step,
        _ index: Int,
        used: String?,
        isFirst: Bool
    ) {
        switch step {
        case .answer(.success(let token)): send(index, token?.value, isFirst)
        case .answer(.failure): calls[index] = .ended("refresh failed")
        case .wait: wait(index, used, isFirst)
        case .refresh(let stale):
            if isRefreshRunning { problems.append("two refreshes at a time") }
            if let stale, refreshed.contains(stale.value) {
                problems.append("\(stale.value) was replaced already")
            }
            isRefreshRunning = true
            refreshOf = stale?.value
            wait(index, used, isFirst)
        }
    }

    private mutating func wait(_ index: Int, _ used: String?, _ isFirst: Bool) {
        state.add(index)
        calls[index] = isFirst ? .waitingToSend : .waitingToResend(token: used)
    }

    private mutating func send(_ index: Int, _ token: String?, _ isFirst: Bool) {
        sends += 1
        calls[index] = isFirst ? .sent(token: token, epoch: state.epoch) : .resent(token: token)
    }

    private mutating func finishRefresh() {
        isRefreshRunning = false
        let succeeds = Int.random(in: 0..<3, using: &random) > 0
        if succeeds, case .some(.some(let stale)) = refreshOf { refreshed.append(stale) }
        if succeeds, state.token?.value == "\(serverToken)" { serverToken += 1 }
        let fresh = BearerToken("\(serverToken)")
        let end = state.finish(succeeds ? .success(fresh) : .failure(CancellationError()))
        if end.asksAgain { problems.append("asked again, though no token was set") }
        for index in end.waiters {
            switch calls[index] {
            case .waitingToSend where succeeds: send(index, fresh.value, true)
            case .waitingToResend where succeeds: send(index, fresh.value, false)
            case .waitingToSend, .waitingToResend: calls[index] = .ended("refresh failed")
            case .ended: break
            default: problems.append("told without waiting")
            }
        }
    }
}

extension Simulation.CallStep {
    fileprivate var isWaiting: Bool {
        switch self {
        case .waitingToSend, .waitingToResend: true
        default: false
        }
    }
}

@Suite("Refresh state")
struct SingleRefreshTests {
    @Test(
        "never refreshes a token twice, loops or hangs, in 10,000 orders of events"
    )
    func interleavings() {
        for seed in UInt64(1)...10_000 {
            var simulation = Simulation(seed: seed)
            simulation.run()
            guard simulation.problems.isEmpty else {
                Issue.record("seed \(seed): \(simulation.problems)")
                return
            }
        }
    }

    @Test("retries a call rejected with an older token without a refresh")
    func newerToken() {
        var state = SingleRefresh<Int>(BearerToken("new"))
        guard case .answer(.success(let token)) = state.afterRefusal(of: "old", at: 0) else {
            Issue.record("no send")
            return
        }
        #expect(token?.value == "new")
    }

    @Test("fails the calls sent before a failed refresh, and refreshes for later ones")
    func failure() {
        var state = SingleRefresh<Int>(BearerToken("a"))
        guard case .refresh = state.afterRefusal(of: "a", at: 0) else {
            Issue.record("no refresh")
            return
        }
        state.add(1)
        let end = state.finish(.failure(CancellationError()))
        #expect(end.waiters == [1] && !end.asksAgain)
        guard case .answer(.failure) = state.afterRefusal(of: "a", at: 0) else {
            Issue.record("no failure")
            return
        }
        guard case .refresh(let stale) = state.afterRefusal(of: "a", at: state.epoch) else {
            Issue.record("no second refresh")
            return
        }
        #expect(stale?.value == "a")
    }

    /// Ends a refresh during which a token is set, and returns whether the call that waits asks again.
    private func askAgain(
        after state: inout SingleRefresh<Int>,
        setting token: String?,
        isSuccess: Bool
    ) -> Bool {
        state.add(1)
        state.set(token.map { BearerToken($0) })
        let result: Result<BearerToken, any Error> =
            isSuccess ? .success(BearerToken("b")) : .failure(CancellationError())
        let end = state.finish(result)
        #expect(end.waiters == [1])
        return end.asksAgain
    }

    @Test(
        "keeps a token that was set during a refresh, whatever its result",
        arguments: ["other", nil],
        [true, false]
    )
    func replaced(token: String?, isSuccess: Bool) {
        var state = SingleRefresh<Int>(BearerToken("a"))
        guard case .refresh = state.afterRefusal(of: "a", at: 0) else {
            Issue.record("no refresh")
            return
        }
        let asksAgain = askAgain(after: &state, setting: token, isSuccess: isSuccess)
        #expect(asksAgain == !isSuccess)
        #expect(state.token?.value == token)
        // The failure was another token's.
        guard case .refresh = state.afterRefusal(of: token, at: 0) else {
            Issue.record("no refresh of the new token")
            return
        }
        _ = state.finish(.success(BearerToken("c")))
        #expect(state.token?.value == "c")
    }

    @Test(
        "lets calls that wait for a first token ask again if none was set during a refresh",
        arguments: ["other", nil],
        [true, false]
    )
    func replacedFirst(token: String?, isSuccess: Bool) {
        var state = SingleRefresh<Int>(nil, fetchesFirst: true)
        guard case .refresh = state.beforeSending({ _ in false }) else {
            Issue.record("no refresh")
            return
        }
        let asksAgain = askAgain(after: &state, setting: token, isSuccess: isSuccess)
        #expect(asksAgain == (token == nil || !isSuccess))
        switch state.beforeSending({ _ in false }) {
        case .refresh: #expect(token == nil)
        case .answer(.success(let sent)): #expect(token != nil && sent?.value == token)
        case .wait, .answer(.failure): Issue.record("nothing to send")
        }
    }

    @Test(
        "refreshes a token with blanks around it, which aren't sent",
        arguments: [("", ""), ("a ", "a"), (" \ta\t", "a"), ("a b", "a b")]
    )
    func blanks(token: String, sent: String) {
        var state = SingleRefresh<Int>(BearerToken(token))
        guard case .refresh(let stale) = state.afterRefusal(of: sent, at: 0) else {
            Issue.record("no refresh")
            return
        }
        #expect(stale?.value == token)
    }

    @Test("refreshes an expired token before sending")
    func expired() {
        var state = SingleRefresh<Int>(BearerToken("a"))
        guard case .refresh = state.beforeSending({ _ in true }) else {
            Issue.record("no refresh")
            return
        }
        guard case .wait = state.beforeSending({ _ in true }) else {
            Issue.record("no wait")
            return
        }
    }
}
