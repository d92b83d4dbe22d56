import Testing

@testable import NetKit

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
    private func lines(_ headers: HTTPHeaders) -> [String] {
        headers.map { "\($0.name): \($0.value)" }
    }

    @Test("keeps its order, and finds values in any case")
    func order() {
        let headers: HTTPHeaders = ["B": "1", "a": "2", .accept: "*/*"]
        #expect(lines(headers) == ["B: 1", "a: 2", "Accept: */*"])
        #expect(headers["b"] == "1")
        #expect(headers["ACCEPT"] == "*/*")
        #expect(headers["c"] == nil)
        #expect(headers.count == 3)
        #expect(!headers.isEmpty)
        #expect(HTTPHeaders().isEmpty)
    }

    @Test("keeps one value per name, the last one, in literals too")
    func replacing() {
        var headers: HTTPHeaders = ["Content-Type": "a", "X": "1", "content-TYPE": "b"]
        #expect(lines(headers) == ["content-TYPE: b", "X: 1"])
        headers.set("x", to: "2")
        #expect(lines(headers) == ["content-TYPE: b", "x: 2"])
        headers["CONTENT-type"] = "c"
        #expect(lines(headers) == ["CONTENT-type: c", "x: 2"])
        let pairs: [(HTTPHeaderName, String)] = [("A", "1"), ("a", "2")]
        #expect(lines(HTTPHeaders(pairs)) == ["a: 2"])
    }

    @Test("removes a field set to nil, and ignores a missing one")
    func removing() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "C": "3"]
        headers["b"] = nil
        headers.remove("a")
        headers.remove("Z")
        headers["Y"] = nil
        #expect(lines(headers) == ["C: 3"])
    }

    @Test("sorts a dictionary's fields by name")
    func dictionary() {
        let names: [HTTPHeaderName: String] = ["C": "3", "A": "1", "B": "2"]
        let headers = HTTPHeaders(names)
        #expect(lines(headers) == ["A: 1", "B: 2", "C: 3"])
        #expect(headers.dictionary == ["A": "1", "B": "2", "C": "3"])
    }

    @Test("merges with the other fields' values and its own order")
    func merging() {
        let own: HTTPHeaders = ["Accept": "a", "X-Own": "1"]
        let other: HTTPHeaders = ["X-Other": "2", "accept": "b"]
        #expect(lines(own.merging(other)) == ["accept: b", "X-Own: 1", "X-Other: 2"])
        #expect(lines(own.merging([:])) == lines(own))
        #expect(lines(HTTPHeaders().merging(other)) == lines(other))
    }

    @Test("compares as a server would, ignoring order and case of names")
    func equality() {
        let headers: HTTPHeaders = ["A": "1", "B": "2"]
        #expect(headers == ["b": "2", "a": "1"])
        #expect(headers.hashValue == (["b": "2", "a": "1"] as HTTPHeaders).hashValue)
        #expect(headers != ["A": "1", "B": "3"])
        #expect(headers != ["A": "1"])
        #expect(headers != ["A": "1", "C": "2"])
    }

    @Test(
        "names the first invalid field",
        arguments: [
            (["A": "1", "X-Y": "caf\u{E9} \t!"], nil), (["A": "1\r\nX: y"], "A"),
            (["A": "\n"], "A"),
            (["A": "\u{0}"], "A"), (["": "1"], ""), (["A B": "1"], "A B"),
            (["A\r\nB": "1"], "A\r\nB"),
            (["A:": "1"], "A:"), (["Ä": "1"], "Ä"),
            (["Good": "1", "Bad\n": "1", "Z ": ""], "Bad\n"),
        ] as [(HTTPHeaders, String?)]
    )
    func injection(headers: HTTPHeaders, name: String?) {
        #expect(headers.fields.first { !$0.isValid }?.name.rawName == name)
    }

    @Test("finds, replaces and removes fields, few or many", arguments: [15, 16, 17, 40])
    func many(count: Int) {
        var headers = HTTPHeaders()
        for index in 0..<count { headers[HTTPHeaderName("X-\(index)")] = "\(index)" }
        headers["x-3"] = "three"
        headers.set("X-5", to: "secret", isSensitive: true)
        headers.remove("X-0")
        #expect((1..<count).allSatisfy { headers[HTTPHeaderName("X-\($0)")] != nil })
        headers["Y"] = "y"
        let numbers = (1..<count)
            .map { $0 == 3 ? "x-3: three" : $0 == 5 ? "X-5: secret" : "X-\($0): \($0)" }
        #expect(lines(headers) == numbers + ["Y: y"])
        let last = HTTPHeaderName("X-\(count - 1)")
        #expect(headers["x-0"] == nil)
        #expect(headers[last] == "\(count - 1)")
        #expect(headers["y"] == "y")
        let rest = headers.withoutCredentials()
        #expect(lines(rest) == numbers.filter { $0 != "X-5: secret" } + ["Y: y"])
        #expect(rest[last] == "\(count - 1)")
        #expect(rest == HTTPHeaders(rest.map { ($0.name, $0.value) }.reversed()))
        #expect(headers.merging(["x-7": "seven"])["X-7"] == "seven")
    }

    /// A search through those that are there would take hours.
    @Test("appends 200,000 fields one by one", .timeLimit(.minutes(15)))
    func hundredsOfThousands() {
        let fields = (0..<200_000).map { (HTTPHeaderName("X-\($0)"), "\($0)") }
        var headers = HTTPHeaders(fields)
        #expect(headers.count == 200_000)
        for index in stride(from: 0, to: 200_000, by: 2) {
            headers.set(HTTPHeaderName("x-\(index)"), to: "secret", isSensitive: true)
        }
        #expect(headers.withoutCredentials().count == 100_000)
        #expect(headers["X-199999"] == "199999")
    }

    @Test("keeps repeated fields separate, and joins them for a single value")
    func repeats() {
        var headers: HTTPHeaders = ["Accept": "a"]
        headers.append("b", for: "accept")
        headers.append("x=1", for: "Cookie")
        headers.append("y=2", for: "cookie")
        headers.append("c=1", for: .setCookie)
        headers.append("d=2; Path=/", for: .setCookie)
        #expect(headers.values(for: .accept) == ["a", "b"])
        #expect(headers.values(for: "X") == [])
        #expect(headers[.accept] == "a, b" && headers["Cookie"] == "x=1; y=2")
        #expect(headers[.setCookie] == "c=1")
        #expect(
            lines(headers) == [
                "Accept: a", "accept: b", "Cookie: x=1", "cookie: y=2", "Set-Cookie: c=1",
                "Set-Cookie: d=2; Path=/",
            ]
        )
        #expect(
            headers.dictionary == [
                "Accept": "a, b", "Cookie": "x=1; y=2", "Set-Cookie": "c=1, d=2; Path=/",
            ]
        )
        var changed = headers
        changed[.accept] = "c"
        #expect(changed.values(for: .accept) == ["c"] && changed.count == 5)
        changed.remove(.setCookie)
        #expect(lines(changed) == ["Accept: c", "Cookie: x=1", "cookie: y=2"])
        #expect(changed.merging(headers) == headers && headers.merging(changed)[.accept] == "c")
        #expect(headers != changed && headers.hashValue != changed.hashValue)
        #expect(headers.withoutCredentials().count == 2)
    }

    @Test("keeps repeated fields among many", arguments: [15, 16, 17, 40])
    func repeatsAmongMany(count: Int) {
        var headers = HTTPHeaders()
        for index in 0..<count {
            headers.append("\(index)", for: HTTPHeaderName("X-\(index % 10)"))
        }
        let nines = stride(from: 9, to: count, by: 10).map(String.init)
        #expect(headers.count == count && headers.values(for: "x-9") == nines)
        #expect(headers["X-9"] == nines.joined(separator: ", "))
        headers["X-0"] = "zero"
        #expect(headers.values(for: "X-0") == ["zero"] && headers.values(for: "x-9") == nines)
        headers.remove("X-0")
        #expect(headers["X-0"] == nil && headers.values(for: "x-9") == nines)
        #expect(headers.map(\.name).first == "X-1")
    }

    @Test("marks an appended field by its name, and drops a token it changes")
    func repeatedMarks() {
        var headers = HTTPHeaders()
        headers.set("X-A", to: "1", isSensitive: true)
        headers.append("SECRET", for: "x-a")
        #expect(headers.isSensitive("X-A") && !"\(headers)".contains("SECRET"))
        #expect(headers.withoutCredentials().isEmpty)
        headers.authToken = .bearer("a")
        headers.append("Basic b", for: .authorization)
        #expect(headers.values(for: .authorization) == ["Bearer a", "Basic b"])
        #expect(headers.authToken != .bearer("a"))
    }

    @Test("differs when only one side repeats a name")
    func oneSideRepeats() {
        var repeated: HTTPHeaders = ["A": "1"]
        repeated.append("1", for: "A")
        let plain: HTTPHeaders = ["A": "1", "B": "2"]
        #expect(repeated != plain)
        #expect(plain != repeated)
        #expect(repeated == repeated)
    }
}
