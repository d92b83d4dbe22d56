import Testing

@testable import NetKitBench

@Suite("Consumer packages")
struct ConsumerTests {
    @Test("depends on NetKit by path, and on nothing else")
    func netKit() {
        let consumer = Consumer.netKit("/NetKit")
        #expect(consumer.manifest.contains(#"[.package(name: "NetKit", path: "/NetKit")]"#))
        #expect(consumer.manifest.contains(#"[.product(name: "NetKit", package: "NetKit")]"#))
        #expect(consumer.main.hasPrefix("import NetKit\n"))
    }

    @Test("has no dependencies without a client", arguments: [Consumer.empty, .raw])
    func baselines(consumer: Consumer) {
        #expect(consumer.manifest.contains("dependencies: [],"))
    }

    @Test("from a checkout belongs to a known client")
    func peers() {
        let alamofire = Consumer(LocalPeer(name: "alamofire", path: "/A"))
        #expect(alamofire?.dependencies == [#".package(name: "Alamofire", path: "/A")"#])
        #expect(Consumer(LocalPeer(name: "alamofire-patched", path: "/A"))?.main == alamofire?.main)
        #expect(Consumer(LocalPeer(name: "get", path: "/G"))?.title == "Get")
        #expect(Consumer(LocalPeer(name: "curl", path: "/C")) == nil)
    }

    @Test(
        "holds only NetKit to both goals",
        arguments: [(20.0, 1_800_000, true), (20.1, 1, false), (1, 1_800_001, false)]
    )
    func goal(seconds: Double, size: Int, holds: Bool) {
        let cost = ConsumerCost(seconds: seconds, strippedSize: size)
        #expect(CostRow(.netKit("/NetKit"), [cost]).holds == holds)
        #expect(CostRow(.raw, [cost]).holds == nil)
    }

    @Test("encodes to one line of JSON with keys in a fixed order")
    func json() {
        let costs = [3.0, 1, 2].map { ConsumerCost(seconds: $0, strippedSize: 1_234_567) }
        #expect(
            CostRow(.raw, costs).json == """
                {"suite":"cost","client":"raw","build_seconds":2.0,"stripped_mb":1.23,"holds":null}
                """
        )
    }
}
