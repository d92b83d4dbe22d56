import CoreMetrics
import Foundation
import MetricsTestKit
import NetKit
import NetKitConventions
import Testing

@testable import NetKitMetrics

@Suite("Endpoint instruments")
struct InstrumentsTests {
    @Test("counts hosts beyond a limit as one")
    func overflow() throws {
        let metrics = TestMetrics()
        let instruments = Instruments(metrics)
        for number in 0...Instruments.maximumCombinations + 5 {
            let url = try #require(URL(string: "http://host\(number).test"))
            let labels = ExchangeLabels(
                RequestAttributes(EncodedRequest(url: url, method: .get)),
                nil,
                of: "Page"
            )
            instruments.of(labels).record(lasting: .seconds(1), (nil, nil))
            instruments.active(labels.server).increment()
        }
        #expect(metrics.timers.count == Instruments.maximumCombinations + 1)
        #expect(metrics.meters.count == Instruments.maximumCombinations + 1)
        let other = try metrics.expectTimer(
            "http.client.request.duration",
            ExchangeLabels.other.dimensions
        )
        #expect(other.values == Array(repeating: 1_000_000_000, count: 6))
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
