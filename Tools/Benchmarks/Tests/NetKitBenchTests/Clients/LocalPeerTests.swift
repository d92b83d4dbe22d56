import Testing

@testable import NetKitBench

@Suite("Local peers")
struct LocalPeerTests {
    @Test(
        "passes names and paths, and nothing else",
        arguments: [
            ("", []),
            ("get=/a", [LocalPeer(name: "get", path: "/a")]),
            (
                "alamofire=/a=b  get=../c ",
                [LocalPeer(name: "alamofire", path: "/a=b"), LocalPeer(name: "get", path: "../c")]
            ),
            ("get get= =/a", []),
        ]
    )
    func parse(text: String, peers: [LocalPeer]) {
        #expect(LocalPeer.all(in: text) == peers)
    }
}
