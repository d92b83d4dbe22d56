import Foundation
import NetKitTesting

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

/// Lets in who has a right proof, which it computes itself by the formulas of RFC 7616.
///
/// A nonce is good for so many requests; the next one is told that it is stale. A count that was seen
/// before, and a proof for another target, method, realm or nonce are refused as a wrong password is.
final class DigestServer: Sendable {
    /// What the server asks for.
    struct Terms: Sendable {
        /// What it offers, each in a field of its own; nil for one that does not name it.
        var algorithms: [String?] = ["SHA-256", "MD5"]
        var quality: String? = "auth, auth-int"
        var realm = #"a "quoted" realm, with \ and comma"#
        var opaque: String? = #"op"aque"#
        var hashesNames = false
        var name = "Mufasa"
        var password = "Circle of Life"
        /// How many requests a nonce is good for.
        var lifetime = Int.max
        /// Whether it says that only the nonce was wrong.
        var saysStale = true
        fileprivate var qualities: [String] { quality?.components(separatedBy: ", ") ?? [] }
        /// Whether each answer names the nonce of the next request.
        var namesNextNonce = false
    }

    private struct State {
        var nonce = "n0"
        var serial = 0
        var counts: Set<String> = []
        var refusals: [String] = []

        mutating func renewNonce() {
            serial += 1
            (nonce, counts) = ("n\(serial)", [])
        }
    }

    private let terms: Terms
    private let state = Locked(State())

    init(_ terms: Terms = Terms()) {
        self.terms = terms
    }

    /// Why requests were refused, in order.
    var refusals: [String] { state.withLock { $0.refusals } }

    /// Accepts no longer the nonce that its clients have, as after a restart.
    func forgetNonce() {
        state.withLock { $0.renewNonce() }
    }

    /// Answers a request: 200 with the algorithm, or 401 with a challenge and the reason.
    func answer(_ request: RecordedRequest) -> MockResponse {
        state.withLock { state in
            let proof = Self.parameters(of: request.header("Authorization"))
            let refusal = refusal(of: proof, for: request, in: &state)
            guard let refusal else {
                let answer = MockResponse.text(proof["algorithm"] ?? "none")
                guard terms.namesNextNonce else { return answer }
                state.renewNonce()
                return answer.header("Authentication-Info", "nextnonce=\"\(state.nonce)\"")
            }
            state.refusals.append(refusal)
            var response = MockResponse.text(refusal, status: 401)
            for algorithm in terms.algorithms {
                let challenge = challenge(
                    algorithm,
                    nonce: state.nonce,
                    isStale: refusal == "stale"
                )
                response = response.header("WWW-Authenticate", challenge)
            }
            return response
        }
    }

    private func refusal(
        of proof: [String: String],
        for request: RecordedRequest,
        in state: inout State
    ) -> String? {
        guard !proof.isEmpty else { return "nothing" }
        guard terms.algorithms.contains(proof["algorithm"]) else { return "algorithm" }
        guard proof["realm"] == terms.realm else { return "realm" }
        guard proof["opaque"] == terms.opaque else { return "opaque" }
        guard proof["uri"] == request.target else { return "uri" }
        guard proof["qop"].map({ terms.qualities.contains($0) }) ?? (terms.quality == nil) else {
            return "qop"
        }
        guard proof["response"] == response(to: proof, request) else { return "response" }
        guard proof["nonce"] == state.nonce else { return "stale" }
        if state.counts.count >= terms.lifetime {
            state.renewNonce()
            return "stale"
        }
        // Without a quality of protection nothing is counted.
        let count = proof["nc"] ?? "\(state.counts.count)"
        return state.counts.insert(count).inserted ? nil : "count"
    }

    private func challenge(_ algorithm: String?, nonce: String, isStale: Bool) -> String {
        var parts = ["realm=\(Self.quoted(terms.realm))", "nonce=\(Self.quoted(nonce))"]
        if let algorithm { parts.append("algorithm=\(algorithm)") }
        if let quality = terms.quality { parts.append("qop=\"\(quality)\"") }
        if let opaque = terms.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if terms.hashesNames { parts.append("userhash=true") }
        if isStale, terms.saysStale { parts.append("stale=true") }
        return "Digest " + parts.joined(separator: ", ")
    }
}

// MARK: - The formulas

extension DigestServer {
    /// What `response` has to be (RFC 7616, section 3.4.1); nil for a name that is not known.
    private func response(to proof: [String: String], _ request: RecordedRequest) -> String? {
        let algorithm = proof["algorithm"] ?? "MD5"
        func hash(_ text: String) -> String {
            let bytes = Array(text.utf8)
            let digest =
                switch algorithm.prefix(7) {
                case "SHA-512": SHA512t256.digest(of: bytes)
                case "SHA-256": SHA256.digest(of: bytes)
                default: MD5.digest(of: bytes)
                }
            return digest.map { String(format: "%02x", $0) }.joined()
        }
        let plain = proof["username"] ?? proof["username*"]?.dropFirst(7).removingPercentEncoding
        let isHashed = proof["userhash"] == "true"
        guard isHashed == terms.hashesNames,
            plain == (isHashed ? hash("\(terms.name):\(terms.realm)") : terms.name)
        else { return nil }
        let (nonce, clientNonce) = (proof["nonce"] ?? "", proof["cnonce"] ?? "")
        var secret = hash("\(terms.name):\(terms.realm):\(terms.password)")
        if algorithm.hasSuffix("-sess") { secret = hash("\(secret):\(nonce):\(clientNonce)") }
        let body = proof["qop"] == "auth-int" ? ":" + hash(request.text) : ""
        let target = hash("\(request.method):\(proof["uri"] ?? "")\(body)")
        guard let quality = proof["qop"] else { return hash("\(secret):\(nonce):\(target)") }
        let count = proof["nc"] ?? ""
        return hash("\(secret):\(nonce):\(count):\(clientNonce):\(quality):\(target)")
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
            .replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    /// The parameters of a Digest credential; none of anything else.
    private static func parameters(of field: String?) -> [String: String] {
        guard let field, field.hasPrefix("Digest ") else { return [:] }
        var parameters: [String: String] = [:]
        let parameter = #/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))/#
        for match in field.matches(of: parameter) {
            let quoted = match.2.map { $0.replacing(#/\\(.)/#) { $0.1 } }.map { String($0) }
            parameters[String(match.1)] = quoted ?? match.3.map { String($0) } ?? ""
        }
        return parameters
    }
}
