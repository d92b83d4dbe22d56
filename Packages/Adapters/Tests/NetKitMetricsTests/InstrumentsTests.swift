import CoreMetrics
import Dispatch
import Foundation
import MetricsTestKit
import NetKit
import NetKitConventions
import Testing

@testable import NetKitMetrics

@Suite("Endpoint instruments")
struct InstrumentsTests {
    /// The labels of a response of a host of its own.
    private func labels(
        _ host: Int,
        method: HTTPMethod = .get,
        status: String = "200",
        error: String = ""
    ) throws -> ExchangeLabels {
        let url = try #require(URL(string: "http://host\(host).test:81"))
        let request = RequestAttributes(EncodedRequest(url: url, method: method))
        var labels = ExchangeLabels(request, "/pages/{page}", of: "Page")
        (labels.status, labels.errorType, labels.version) = (status, error, "1.1")
        return labels
    }

    private func dimensions(
        method: String = "GET",
        status: String = "200",
        error: String = "",
        version: String = "1.1"
    ) -> [(String, String)] {
        [
            ("http.request.method", method), ("server.address", "_OTHER"), ("server.port", ""),
            ("url.template", ""), ("http.response.status_code", status), ("error.type", error),
            ("network.protocol.version", version), ("netkit.request", ""),
        ]
    }

    @Test("counts hosts beyond a limit as one, with their methods, statuses and failures")
    func overflow() throws {
        let metrics = TestMetrics()
        let instruments = Instruments(metrics)
        func record(_ labels: ExchangeLabels) {
            instruments.of(labels).record(lasting: .seconds(1), (nil, nil))
            instruments.active(labels.server).increment()
        }
        for host in 0..<1_006 { record(try labels(host)) }
        for host in 1_006..<1_009 {
            record(try labels(host, method: .post, status: "503", error: "503"))
        }
        record(try labels(1_009, status: "", error: "cannotConnect"))
        // One that is known keeps its host.
        record(try labels(0))
        #expect(metrics.timers.count == 1_003 && metrics.meters.count == 1_002)
        let expected = [
            (dimensions(), 6), (dimensions(method: "POST", status: "503", error: "503"), 3),
            (dimensions(status: "", error: "cannotConnect"), 1),
        ]
        for (labels, count) in expected {
            let timer = try metrics.expectTimer("http.client.request.duration", labels)
            #expect(timer.values.count == count)
        }
        let posts = try metrics.expectMeter(
            "http.client.active_requests",
            Array(dimensions(method: "POST").prefix(3))
        )
        #expect(posts.values == [1, 2, 3])
    }

    @Test("counts failures beyond the second limit as failures")
    func secondOverflow() throws {
        let table = InstrumentTable<ExchangeLabels, [String]>(limit: 2)
        let used = try (0..<6)
            .map { number in
                let labels = try labels(
                    number,
                    status: "50\(number)",
                    error: number == 5 ? "" : "50\(number)"
                )
                return table.instrument(for: labels) { $0.dimensions.map(\.1) }
            }
        #expect(
            used.map { $0[1] } == [
                "host0.test", "host1.test", "_OTHER", "_OTHER", "_OTHER", "_OTHER",
            ]
        )
        #expect(used.map { $0[4] } == ["500", "501", "502", "503", "", ""])
        #expect(used.map { $0[5] } == ["500", "501", "502", "503", "_OTHER", ""])
    }

    @Test("makes an instrument while others are used, and keeps the first of two")
    func slowFactory() throws {
        let table = InstrumentTable<ExchangeLabels, Int>()
        let (first, second) = (try labels(1), try labels(2))
        let (others, used) = (DispatchSemaphore(value: 0), Guarded<[Int]>([]))
        let made = table.instrument(for: first) { _ in
            Thread.detachNewThread {
                let known = [first, second]
                    .map { labels in
                        table.instrument(for: labels) { _ in labels == first ? 10 : 20 }
                    }
                used.withLock { $0 = known }
                others.signal()
            }
            // It never comes if making holds a lock.
            #expect(others.wait(timeout: .now() + 300) == .success)
            return 11
        }
        #expect(used.withLock { $0 } == [10, 20] && made == 10)
    }

    @Test(
        "appends a path template to the endpoint's",
        arguments: [
            ("users/{id}", "http://h", "/users/{id}"),
            ("/users/{id}?x={x}", "http://h/api/v1/", "/api/v1/users/{id}"),
            ("HTTP://other/a/{b}#f", "http://h/api", "/a/{b}"),
            ("{org}/#/{repo}", "http://h/api", "/api/{org}/#/{repo}"),
            ("proxy/http://x/{id}", "http://h/api", "/api/proxy/http://x/{id}"),
            ("users?x={x}", "http://h/api", nil), ("http://other?{x}", "http://h", nil),
            ("items/42:archive?v={v}", "http://h/api", nil),
            ("status?x={x}", "http://h/tenants/a:7", nil),
            ("https://{host}/a", "http://h/api", nil),
        ] as [(String, String, String?)]
    )
    func templates(template: String, base: String, expected: String?) throws {
        let url = try #require(URL(string: base))
        #expect(URLTemplate.path(template, below: url) == expected)
        #expect(URLTemplate.path(nil, below: url) == nil)
    }
}
