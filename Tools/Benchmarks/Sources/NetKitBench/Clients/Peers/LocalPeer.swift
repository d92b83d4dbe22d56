import Foundation

/// A client that is measured because a local checkout of it was given.
struct LocalPeer: Equatable, Sendable {
    /// The variable of the environment that names them, as `alamofire=PATH get=PATH`; Package.swift
    /// reads it as well.
    static let variable = "NETKIT_BENCH_PEERS"

    let name: String
    /// The checkout's folder.
    let path: String

    /// The peers that this process was built with.
    static var all: [LocalPeer] {
        all(in: ProcessInfo.processInfo.environment[variable] ?? "")
    }

    /// The peers in a text such as `alamofire=PATH get=PATH`; what is no peer is left out.
    static func all(in text: String) -> [LocalPeer] {
        text.split(separator: " ")
            .compactMap { peer in
                let parts = peer.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                return LocalPeer(name: String(parts[0]), path: String(parts[1]))
            }
    }
}
