import Foundation
import Testing

@testable import NetKit
@testable import NetKitPaging

@Suite("Link field")
struct LinkFieldTests {
    @Test(
        "finds the next page",
        arguments: [
            (#"</p?page=2>; rel="next""#, "/p?page=2"),
            ("</2>;rel=next", "/2"),
            ("</2> ; rel = next ; title=x", "/2"),
            ("</2>\t;\trel\t=\t\"next\"", "/2"),
            (
                #"<https://a.test/1>; rel="prev", <https://a.test/2>; rel="next""#,
                "https://a.test/2"
            ),
            (#"</2>; rel="last next prefetch""#, "/2"),
            (#"</2>; REL="Next""#, "/2"), ("</2>; rel=\"prev\tnext\"", "/2"),
            ("</1>; crossorigin, </2>; rel=next", "/2"), ("</1>; , </2>; rel=next", "/2"),
            ("</1>;rel\t=prev,</2>;rel=next", "/2"),
            (#"</a,b;c?d="e">; rel="next""#, #"/a,b;c?d="e""#),
            (#"</1>; title="a, <b>; rel=next"; rel=prev, </2>; rel=next"#, "/2"),
            (#"</2>; title="a \" ; rel=prev"; rel=next"#, "/2"),
            ("</2>; title*=UTF-8''%e2%82%ac; rel=next", "/2"),
            ("</2>; rel=next, </3>; rel=next", "/2"),
            (", ,</2>; rel=next,,", "/2"),
            ("</2>;; rel=next", "/2"),
            ("</2>; crossorigin; rel=next", "/2"),
            ("<>; rel=next", ""),
            ("</2>; rel=next; anchor=\"\"", "/2"), ("</2>; rel=next; anchor=\"#\"", "/2"),
            ("</2>; rel=next; anchor=\"https://a.test/list?page=1\"", "/2"),
            ("</2>; rel=next; anchor=\"?page=1\"", "/2"),
            ("</x>; rel=next; anchor=\"/other\", </2>; rel=next", "/2"),
            // What is malformed does not take the rest along.
            ("junk, </2>; rel=next", "/2"),
            ("</1>; rel=prev junk, </2>; rel=next", "/2"),
            ("</1>; rel=\"prev\"junk\"a,b\", </2>; rel=next", "/2"),
            ("</1> </3>; rel=prev, </2>; rel=next", "/2"),
            (#"</2>; rel="next"#, "/2"),
            (#"</2>; rel=next; title="never ends"#, "/2"),
            (#"</2>; rel=next; title="ends \"#, "/2"),
            (#"</1>; rel="prev" "a, </3>; rel=next, b", </2>; rel=next"#, "/2"),
            ("</1> <a, </3>; rel=next, </2>; rel=next", "/2"),
        ]
    )
    func finds(field: String, target: String) throws {
        let page = try #require(URL(string: "https://a.test/list?page=1"))
        #expect(LinkField(field).target(of: "next", in: page) == target)
    }

    @Test(
        "finds no next page in a field without one",
        arguments: [
            "", " ", ",", ";", "<", ">", "\"", "<>", "</2>", "</2", "/2; rel=next",
            "</2>; rel=prev",
            "</2>; rel=\"nextpage\"", "</2>; rel=\"next-page\"", "</2>; rev=next", "</2>; rel",
            "</2>; rel=prev; rel=next", "</2>; rel; rel=next", "</2>; title=\"; rel=next\"",
            "</2>; title=\"\\\"; rel=next", "</2>; rel=next; anchor=\"/other\"",
            "</2>; rel=next; anchor=\"#part\"", "</2>; rel=next; anchor=\"http://[\"",
            "</2>; rel=next; anchor=\"https://b.test/list?page=1\"",
            "</2>; rel*=next", "</2>; =next", "\\</2>; rel=next", "\"</2>; rel=next\"",
            "</2> rel=next",
        ]
    )
    func none(field: String) throws {
        let page = try #require(URL(string: "https://a.test/list?page=1"))
        #expect(LinkField(field).target(of: "next", in: page) == nil)
    }

    @Test("compares at most 100 anchors")
    func anchors() throws {
        let page = try #require(URL(string: "https://a.test/list?page=1"))
        for (count, target) in [(99, "/2" as String?), (100, "/3")] {
            let others = String(repeating: "</x>; rel=next; anchor=\"/other\", ", count: count)
            let field = LinkField("\(others)</2>; rel=next; anchor=\"\", </3>; rel=next")
            #expect(field.target(of: "next", in: page) == target)
        }
    }

    @Test("keeps every parameter, with lowercase names and unescaped values")
    func parameters() {
        let field = LinkField(#"<a>; Rel=x; b="c\"d\\e" ;f , <g>"#)
        #expect(field.links.map(\.target) == ["a", "g"])
        #expect(
            field.links.first?.parameters.map { "\($0.name)=\($0.value)" }
                == ["rel=x", #"b=c"d\e"#, "f="]
        )
    }

    @Test(
        "parses a long, hostile field in one pass",
        arguments: ["<", "<>", "\"", "\\\"", ";", ",", "<a>;", "<\"", "a=", "<a"]
    )
    func hostile(piece: String) throws {
        let page = try #require(URL(string: "https://a.test/"))
        let text = String(repeating: piece, count: 100_000)
        #expect(LinkField(text).target(of: "next", in: page) == nil)
    }
}
