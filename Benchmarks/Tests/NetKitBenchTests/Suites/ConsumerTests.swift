import Testing

@testable import NetKitBench

@Suite("Consumers")
struct ConsumerTests {
    @Test("of NetKit depends on it by path, and on nothing else")
    func netKit() {
        let consumer = Consumer.netKit("/NetKit")
        #expect(consumer.manifest.contains(#"[.package(name: "NetKit", path: "/NetKit")]"#))
        #expect(consumer.manifest.contains(#"[.product(name: "NetKit", package: "NetKit")]"#))
        #expect(consumer.main.hasPrefix("import NetKit\n"))
    }

    @Test("without a client have no dependencies", arguments: [Consumer.empty, .raw])
    func baselines(consumer: Consumer) {
        #expect(consumer.manifest.contains("dependencies: [],"))
    }

    @Test("of a checkout are those of known clients")
    func peers() {
        let alamofire = Consumer(LocalPeer(name: "alamofire", path: "/A"))
        #expect(alamofire?.dependencies == [#".package(name: "Alamofire", path: "/A")"#])
        #expect(Consumer(LocalPeer(name: "alamofire-patched", path: "/A"))?.main == alamofire?.main)
        #expect(Consumer(LocalPeer(name: "get", path: "/G"))?.title == "Get")
        #expect(Consumer(LocalPeer(name: "curl", path: "/C")) == nil)
    }

    @Test(
        "hold NetKit's to both goals, and no other",
        arguments: [(20.0, 1_800_000, true), (20.1, 1, false), (1, 1_800_001, false)]
    )
    func goal(seconds: Double, size: Int, holds: Bool) {
        let cost = ConsumerCost(seconds: seconds, strippedSize: size)
        #expect(CostRow(.netKit("/NetKit"), [cost]).holds == holds)
        #expect(CostRow(.raw, [cost]).holds == nil)
    }

    @Test("are one line of JSON with its keys in a fixed order")
    func json() {
        let costs = [3.0, 1, 2].map { ConsumerCost(seconds: $0, strippedSize: 1_234_567) }
        #expect(
            CostRow(.raw, costs).json == """
                {"suite":"cost","client":"raw","build_seconds":2.0,"stripped_mb":1.23,"holds":null}
                """
        )
    }
}
