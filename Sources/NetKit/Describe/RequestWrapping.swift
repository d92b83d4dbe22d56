/// A request that is another one with something about it changed.
package protocol RequestWrapping {
    /// The other one, in which parameters and files are looked for.
    var wrappedRequest: any Request { get }
    /// Whether ``Request/path`` is the whole address, so that parameters in path and query do not count.
    ///
    /// False by default.
    var hasWholeAddress: Bool { get }
}

extension RequestWrapping {
    package var hasWholeAddress: Bool { false }
}
