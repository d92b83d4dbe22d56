import NetKit

/// What httpbin answers to most requests: the request, as it arrived.
struct Echo: ResponseObject {
    let args: [String: Texts]
    let headers: [String: Texts]
    /// The fields of a form; only the answer to a POST has them, and the files.
    let form: [String: Texts]?
    let files: [String: Texts]?
}

/// One text or several: httpbin writes `"a"` for one value and `["a", "b"]` for two.
struct Texts: ResponseObject {
    let all: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let one = try? container.decode(String.self) {
            all = [one]
        } else {
            all = try container.decode([String].self)
        }
    }
}
