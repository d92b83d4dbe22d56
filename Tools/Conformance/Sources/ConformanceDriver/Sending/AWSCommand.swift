import Crypto
import Foundation
import NetKit
import Synchronization

extension SHA256: AWSHash {}

/// A signature of every exchange.
struct AWSCommand: Decodable {
    let accessKey: String
    let secretKey: String
    let sessionToken: String?
    let region: String
    let service: String
    /// The time of the first signature, in seconds since 1970.
    ///
    /// Each one is a second later than the one before.
    let time: Int
    /// A port of 127.0.0.1, besides the endpoint's, that receives signed requests.
    let otherPort: Int?
    /// The lifetime in seconds of a presigned URL to send to, instead of a signed request.
    let presigned: Int?

    func signature(home: URL) -> AWSSignature<SHA256> {
        let clock = Ticks(start: time)
        var signature = AWSSignature<SHA256>(
            region: region,
            service: service,
            home: home,
            now: { clock.next() },
            credentials: {
                AWSCredentials(
                    accessKey: accessKey,
                    secretKey: secretKey,
                    sessionToken: sessionToken
                )
            }
        )
        if let otherPort {
            signature.signsElsewhere = { $0.host == "127.0.0.1" && $0.port == otherPort }
        }
        return signature
    }
}

/// A clock that adds a second each time.
private final class Ticks: Sendable {
    private let time: Mutex<Int>

    init(start: Int) {
        time = Mutex(start)
    }

    func next() -> Date {
        time.withLock { time in
            defer { time += 1 }
            return Date(timeIntervalSince1970: Double(time))
        }
    }
}
