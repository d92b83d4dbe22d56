/// A request that is another one with something about it changed.
package protocol RequestWrapping {
    /// The other one, in which parameters and files are looked for.
    var wrappedRequest: any Request { get }
}
