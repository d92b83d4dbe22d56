/// Adds the cookies of a jar to requests.
///
/// The exchange gives the jar the head of each response as it arrives, so that the calls behind it have its cookies.
struct CookiesLayer: Layer {
    let jar: CookieJar

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        let result = await next.send(request.adding(jar, at: call.clock), in: call)
        if jar.isInFile, let failure = await jar.saved(call.control) {
            call.reporter?.report(.cookiesNotSaved(failure))
        }
        return result
    }
}

extension CookieJar: HeadReceiver {
    func receive(_ head: ResponseHead, to request: EncodedRequest, in call: CallContext) {
        let fields = head.headers.values(for: .setCookie)
        guard !fields.isEmpty, let url = request.cookieURL else { return }
        store(fields, from: url, at: call.clock.date)
    }
}

extension EncodedRequest {
    /// The request with the cookies of a jar behind its own, whose names win.
    func adding(_ jar: CookieJar, at clock: DeadlineClock) -> EncodedRequest {
        guard !jar.isEmpty, let url = cookieURL else { return self }
        var cookies = jar.cookies(for: url, at: clock.date)
        let own = headers[.cookie]
        if let own {
            let names = Set(own.split(separator: ";").map { Self.cookieName(of: $0) })
            cookies.removeAll { names.contains($0.name) }
        }
        guard !cookies.isEmpty else { return self }
        let pairs = (own.map { $0.isEmpty ? [] : [$0] } ?? []) + cookies.map(\.pair)
        var request = self
        request.headers[.cookie] = pairs.joined(separator: "; ")
        return request
    }

    /// The URL as cookies see it; nil for one that has none.
    var cookieURL: CookieURL? { origin.flatMap { CookieURL(url, $0) } }

    /// The name of a cookie of a `Cookie` field; empty for one without an equals sign.
    private static func cookieName(of pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return "" }
        return String(pair[..<equals]).trimmedOfBlanks
    }
}
