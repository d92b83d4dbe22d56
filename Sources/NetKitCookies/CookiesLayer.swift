package import Foundation
package import NetKit

/// Adds the cookies of a jar to requests.
///
/// The exchange layer passes each response's head to the jar when it arrives, so that later calls have its cookies.
struct CookiesLayer: Layer {
    let jar: CookieJar

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        let result = await next.send(request.adding(jar, at: call.clock), in: call)
        if jar.isInFile, let failure = await jar.saved(call.control) {
            call.reporter?.report(.cookiesNotSaved("\(failure)"))
        }
        return result
    }
}

extension CookieJar: LayerSource, SessionSource, HeadReceiver {
    package var isCredential: Bool { true }
    package var forAnotherUser: any LayerSource { CookieJar() }
    package var headReceiver: (any HeadReceiver)? { self }
    package var session: (any SessionSource)? { self }

    package func layer(at place: LayerPlace, in setting: LayerSetting) -> (any Layer)? {
        place == .cookies ? CookiesLayer(jar: self) : nil
    }

    package func applies(to request: EncodedRequest, at date: Date) -> Bool {
        guard !isEmpty, let url = request.cookieURL else { return false }
        return !cookies(for: url, at: date).isEmpty
    }

    package func added(to request: EncodedRequest, at clock: DeadlineClock) -> EncodedRequest {
        request.adding(self, at: clock)
    }

    package func receive(_ head: ResponseHead, to request: EncodedRequest, in call: CallContext) {
        let fields = head.headers.values(for: .setCookie)
        guard !fields.isEmpty, let url = request.cookieURL else { return }
        store(fields, from: url, at: call.clock.date, afterSafe: request.method.isSafe)
    }
}

extension EncodedRequest {
    /// Returns the request with the jar's cookies after its own, whose names take precedence.
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

    /// The parts of the URL for cookies, with the authority that the server sees; nil without an origin.
    var cookieURL: CookieURL? {
        origin.flatMap { CookieURL(url, $0, authority: authorityOverride) }
    }

    /// Returns the name of a `Cookie` field's cookie.
    ///
    /// Returns an empty string without an equals sign.
    private static func cookieName(of pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return "" }
        return String(pair[..<equals]).trimmedOfBlanks
    }
}
