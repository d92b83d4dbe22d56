/// How a command for curl is laid out.
public enum CURLLayout: Hashable, Sendable {
    /// An option a line, with a backslash at the ends; bodies as they are.
    case lines
    /// Everything on one line, for logs; line breaks in a body are escapes of `printf`.
    case oneLine
}
