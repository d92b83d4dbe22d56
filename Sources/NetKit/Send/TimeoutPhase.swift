/// Which of a call's two clocks ran out.
public enum TimeoutPhase: Hashable, Sendable {
    /// No byte was sent or received for the idle time.
    case idle
    /// The whole call took longer than its total time.
    case total
}
