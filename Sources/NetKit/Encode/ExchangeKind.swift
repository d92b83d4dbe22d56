/// What an exchange is for: connection limits count each kind for itself.
///
/// A ``Transport`` that limits its connections should count each kind for itself too. Otherwise long-lived
/// streams keep other calls from being sent, and calls that wait for a new token keep it from being fetched.
public enum ExchangeKind: Int, CaseIterable, Hashable, Sendable {
    /// A call that ends with its response.
    case call
    /// A response that is read as it arrives, which may last for hours.
    case stream
    /// A request of a credential refresh, for which other calls wait.
    case refresh
}
