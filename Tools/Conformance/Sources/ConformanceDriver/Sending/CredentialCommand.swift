import NetKit
import NetKitDigest

/// The credentials of a call.
struct CredentialCommand: Decodable {
    enum Kind: String, Decodable {
        case basic, digest, bearer
    }

    let kind: Kind
    let username: String?
    let password: String?
    let token: String?

    func authentication() -> any Authentication {
        let (username, password) = (username ?? "", password ?? "")
        return switch kind {
        case .basic: BasicAuthentication(username: username, password: password)
        case .digest: DigestAuthentication(username: username, password: password)
        case .bearer:
            BearerAuthentication(token: token) { _ in
                throw DriverError(kind: "command", message: "the token is refused")
            }
        }
    }
}
